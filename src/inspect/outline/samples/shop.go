package shop
import "fmt"
type Priced interface { Price(rate float64) float64; Name() string }
type Order struct { Lines []int; total int }
type ID int
type Rank int
func (r Rank) Up() Rank { return r + 1 }
func (o *Order) Price(rate, tax float64, more ...int) float64 {
	if rate > 1 && tax > 1 { return 1 } else if rate > 2 { return 2 } else { fmt.Println(1) }
	for i := range more { switch i { case 1, 2: continue; case 3: break; default: return 1 } }
	return 0
}
func free(a int, b string) {}
