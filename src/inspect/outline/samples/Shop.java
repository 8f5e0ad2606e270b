package shop;
public interface Priced { double price(double rate); }
enum Kind { NEW, OLD; int rank() { return 1; } }
record Point(int x, int y) { Point { if (x < 0) throw new Error(); } }
class Order<T> extends Base implements Priced {
    private int total, count;
    static final int LIMIT = 3;
    class Inner { void run() {} }
    Order(int total) { this.total = total; }
    @Override public double price(double rate) {
        outer: for (int i = 0; i < 3; i++) { if (i == 1 && rate > 1 || rate < 0) continue outer; else rate++; }
        switch (total) { case 1: case 2: return 1; default: return 2; }
    }
    double price(double rate, String... names) { return switch (total) { case 1 -> 2; default -> 3; }; }
}
