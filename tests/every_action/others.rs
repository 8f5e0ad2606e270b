//! Go, shell and Lua with every kind of trouble, and where actions are asked for in them.

type Files = &'static [(&'static str, &'static str)];
type Places = &'static [(&'static str, &'static [&'static str])];

pub(super) const GO: Files = &[
    ("go.mod", "module example.com/shop\n\ngo 1.24\n"),
    (
        "stock/stock.go",
        "\
// Package stock holds parcels.
package stock

// Shape has an area.
type Shape interface {
	Area() int
	Name() string
}

// Reserved adds one.
func Reserved(amount int) int {
	return amount + 1
}
",
    ),
    (
        "main.go",
        "\
package main

import (
	\"os\"
	\"strings\"

	\"example.com/shop/stock\"
)

type Circle struct {
	Radius int
	Label  string
}

func (c Circle) Area() int {
	return c.Radius * 3
}

var _ stock.Shape = Circle{}

func work(amount int) (int, error) {
	unused := 3
	circle := Circle{}
	total := missing(amount)
	if amount == 1 {
		return stock.Reserved(amount) * 2, nil
	} else {
		fmt.Println(circle, total)
	}
	return
}

func main() {
	work(2 + 3*4)
	text := \"a\" + \"b\"
	_ = strings.ToUpper(text)
}
",
    ),
];

pub(super) const IN_GO: Places = &[
    ("main.go", &["source"]),
    ("main.go:4:3", &[]),
    ("main.go:19:21", &[]),
    ("main.go:22:2", &[]),
    ("main.go:23:12", &[]),
    ("main.go:24:11", &[]),
    ("main.go:25:2", &[]),
    ("main.go:28:3", &[]),
    ("main.go:30:2", &[]),
    ("main.go:34:7-34:14", &[]),
    ("main.go#L22-L24", &["refactor"]),
    ("stock/stock.go:11:15", &["refactor"]),
];

pub(super) const SHELL: Files = &[(
    "stock.sh",
    "\
#!/bin/bash
unused=1
files=`ls *.txt`
if [ $files == \"\" ]; then
  echo $files
fi
cd /tmp
read line
rm -rf \"$STOCK/\"*
",
)];

pub(super) const IN_SHELL: Places = &[
    ("stock.sh:2:1", &[]),
    ("stock.sh:3:8", &[]),
    ("stock.sh:4:7", &[]),
    ("stock.sh:5:8", &[]),
    ("stock.sh:7:1", &[]),
    ("stock.sh:8:1", &[]),
    ("stock.sh:9:8", &[]),
];

pub(super) const LUA: Files = &[
    (".luarc.json", "{\"runtime\": {\"version\": \"Lua 5.4\"}}\n"),
    (
        "stock.lua",
        "\
---@class Parcel
---@field total integer
local Parcel = {}

---@param amount integer
---@return integer
function Parcel.reserved(amount)
  return amount + 1
end

return Parcel
",
    ),
    (
        "main.lua",
        "\
local parcel = require(\"stock\")

local unused = 3
total = parcel.reserved(1)
print(totl, parcel.reserved(\"one\"))
missing(2)

local function work(amount)
  if amount == 1 then
    return Parcel.reserved(amount)
  end
end

---@param wrong integer
local function named(right) end
",
    ),
];

pub(super) const IN_LUA: Places = &[
    ("main.lua:3:7", &[]),
    ("main.lua:4:1", &[]),
    ("main.lua:5:7", &[]),
    ("main.lua:5:29", &[]),
    ("main.lua:6:1", &[]),
    ("main.lua:10:12", &[]),
    ("main.lua:14:11", &[]),
    ("stock.lua:7:17", &["refactor"]),
];
