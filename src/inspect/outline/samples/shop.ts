export interface Priced { price(rate: number): number; name: string; }
export enum Kind { New, Old }
export abstract class Order<T> implements Priced {
  name = "";
  #total = 0;
  constructor(private lines: T[], readonly id: string) {}
  price(rate: number, ...rest: number[]): number { return rate; }
  price2 = (rate = 1) => rate ?? 2;
  get total() { return this.#total; }
  set total(value) { this.#total = value; }
  abstract go(a: string): void;
}
export namespace Inner { export class Deep { run() {} } export function free() {} }
function over(a: string): void;
function over(a: number): void;
function over(a: any) { if (a) { for (const x of a) { if (x && a || x) break; else a?.b(); } } else if (!a) {} else {} }
export const arrow = async ({ a, b }: P, c?: string) => { try { a(); } catch { b(); } };
const obj = { method() {}, key: function () {}, arrow: () => 1 };
export default class { run() {} }
over([1].map((x) => x));
