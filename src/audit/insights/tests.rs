//! What functions do, in all languages, told as text.

use super::*;

fn look(files: &[(&str, &str)], target: &str) -> Result<Function, AuditError> {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let (file, name) = target.split_once("::").unwrap();
    let (name, signature) = name.split_once('(').map_or((name, None), |(name, rest)| (name, Some(format!("({rest}"))));
    let (contract, name) =
        name.rsplit_once('.').map_or((None, name), |(contract, name)| (Some(contract.to_owned()), name));
    let selector = Selector { file: file.to_owned(), contract, name: name.to_owned(), signature };
    insights(&Sources::given(files).unwrap(), &selector).map(|found| found.function)
}

fn paths(rows: &[AccessRow]) -> Vec<String> {
    rows.iter().map(|row| format!("{} {}", row.storage, row.path)).collect()
}

fn reached(rows: &[ReachedRow]) -> Vec<String> {
    rows.iter().map(|row| format!("{} via {}", row.path, row.via)).collect()
}

fn internal(function: &Function) -> Vec<String> {
    function.calls.internal.iter().map(|row| format!("{} {}", row.kind, row.function)).collect()
}

fn external(function: &Function) -> Vec<String> {
    let row = |row: &OutwardRow| format!("{} {} {}", row.kind, row.target, row.function.as_deref().unwrap_or("?"));
    function.calls.external.iter().map(row).collect()
}

fn order(function: &Function) -> Vec<String> {
    let late = |row: &OrderRow| if row.write_after_external_call { " LATE" } else { "" };
    function.order.iter().map(|row| format!("{} {}{}", row.kind, row.what, late(row))).collect()
}

const VAULT: &str = "pragma solidity ^0.8.20;
import {Base} from './Base.sol';
import {Set, SetLib} from './Set.sol';
interface IToken { function transfer(address to, uint256 value) external returns (bool); function total() external view returns (uint256); }
error Empty(address who);
contract Vault is Base {
    using SetLib for Set;
    struct Order { address who; uint256 amount; }
    mapping(address => uint256) public balances;
    mapping(uint256 => Order) orders;
    uint256[] list;
    Set members;
    IToken immutable token;
    uint256 constant LIMIT = 10;
    uint256 total;
    bytes32 private constant SLOT = keccak256('x');
    event Withdrawn(address who, uint256 amount);
    constructor(IToken token_) Base(1) { token = token_; }
    function withdraw(uint256 amount) external locked returns (bool) {
        require(balances[msg.sender] >= amount, 'low');
        if (amount > LIMIT) revert Empty(msg.sender);
        (bool ok, ) = msg.sender.call{value: amount}('');
        balances[msg.sender] -= amount;
        total--;
        emit Withdrawn(msg.sender, amount);
        return ok == token.transfer(msg.sender, amount);
    }
    function fill(uint256 id) public {
        Order storage order = orders[id];
        order.amount += 1;
        delete orders[id + 1].who;
        list.push(id);
        (total, list[0]) = (1, 2);
        members.add(msg.sender);
        _touch(id);
        super.hook();
        this.fill(id);
    }
    function _touch(uint256 id) private { orders[id].who = address(this); try token.transfer(address(1), id) {} catch { total = 0; } }
    function hook() internal override { super.hook(); payable(msg.sender).transfer(1); new Base(2); }
    function raw() external { assembly { sstore(total.slot, sload(SLOT)) let s := call(gas(), caller(), 0, 0, 0, 0, 0) } }
    function over(uint256 a) public {}
    function over(address a) public {}
    function ask() external view returns (uint256) { return total == token.total() ? list.length : balances[msg.sender]; }
}";
const BASE: &str = "pragma solidity ^0.8.20;
contract Base {
    uint256 internal lock;
    uint256 made;
    constructor(uint256 a) { made = a; }
    modifier locked() { require(lock == 0); lock = 1; _; lock = 0; }
    function hook() internal virtual { made++; }
    function open() public { hook(); }
}";
const SET: &str = "pragma solidity ^0.8.20;
struct Set { address[] all; mapping(address => bool) has; }
library SetLib {
    function add(Set storage self, address one) internal { if (!self.has[one]) { self.all.push(one); self.has[one] = true; } }
}";

fn vault(target: &str) -> Function {
    look(&[("c/Vault.sol", VAULT), ("c/Base.sol", BASE), ("c/Set.sol", SET)], &format!("c/Vault.sol::{target}"))
        .unwrap()
}

#[test]
fn a_withdrawal_that_writes_behind_a_call() {
    let function = vault("Vault.withdraw");
    assert_eq!((function.visibility, function.mutability), (Some("external"), Some("nonpayable")));
    assert_eq!(
        (function.modifiers.clone(), function.signature.as_str()),
        (vec!["locked".to_owned()], "withdraw(uint256)")
    );
    let reads = ["state balances[msg.sender]", "constant LIMIT", "state total", "immutable token"];
    assert_eq!(paths(&function.state.reads), reads);
    assert_eq!(paths(&function.state.writes), ["state balances[msg.sender]", "state total"]);
    assert_eq!(internal(&function), ["modifier Base.locked"]);
    let calls = ["call msg.sender.call ?", "typed token.transfer IToken.transfer(address,uint256)"];
    assert_eq!(external(&function), calls);
    assert_eq!(function.events[0].event, "Withdrawn(address,uint256)");
    let errors: Vec<String> = function.errors.iter().map(|row| format!("{} {}", row.kind, row.error)).collect();
    assert_eq!(errors, ["require 'low'", "error Empty"]);
    let steps = [
        "state_write lock",
        "external_call msg.sender.call",
        "state_write balances[msg.sender] LATE",
        "state_write total LATE",
        "external_call token.transfer",
        "state_write lock LATE",
    ];
    assert_eq!(order(&function), steps);
    assert_eq!(reached(&function.transitive.writes), ["lock via Base.locked"]);
}

#[test]
fn pointers_tuples_pushes_and_libraries() {
    let function = vault("Vault.fill");
    let writes =
        ["state orders[id].amount", "state orders[id + 1].who", "state list[]", "state total", "state list[0]"];
    assert_eq!(paths(&function.state.writes), writes);
    let calls = ["using_for SetLib.add", "own Vault._touch", "super Base.hook"];
    assert_eq!(internal(&function), calls);
    assert_eq!(external(&function), ["this this.fill Vault.fill(uint256)"]);
    let writes = [
        "made via Base.hook",
        "members.all[] via SetLib.add",
        "members.has[one] via SetLib.add",
        "orders[id].who via Vault._touch",
        "total via Vault._touch",
    ];
    assert_eq!(reached(&function.transitive.writes), writes);
}

#[test]
fn transfers_creations_and_what_a_contract_overrides() {
    let hook = vault("Vault.hook");
    assert_eq!(external(&hook), ["transfer payable(msg.sender).transfer ?", "new new Base Base"]);
    // What is inherited runs in the contract that is named.
    let open = vault("Vault.open");
    assert_eq!((open.contract.as_deref(), open.inherited_from.as_deref()), (Some("Vault"), Some("Base")));
    assert_eq!(internal(&open), ["inherited Vault.hook"]);
    assert_eq!(reached(&open.transitive.writes), ["made via Vault.hook > Base.hook"]);
    let touch = vault("Vault._touch");
    assert_eq!(touch.calls.external.iter().map(|row| row.tried).collect::<Vec<_>>(), [true]);
    assert_eq!(order(&touch).last().unwrap(), "state_write total LATE");
}

#[test]
fn assembly_and_views() {
    let raw = vault("Vault.raw");
    assert_eq!(paths(&raw.state.writes), ["state total"]);
    assert_eq!(paths(&raw.state.reads), ["slot SLOT", "constant SLOT"]);
    assert_eq!(external(&raw), ["call caller() ?"]);
    let ask = vault("Vault.ask");
    assert_eq!(
        paths(&ask.state.reads),
        ["state total", "immutable token", "state list.length", "state balances[msg.sender]"]
    );
    let constructor = vault("Vault.constructor");
    assert_eq!(paths(&constructor.state.writes), ["immutable token"]);
    assert_eq!(internal(&constructor), ["constructor Base.constructor"]);
    assert_eq!(constructor.calls.internal[0].signature.as_deref(), Some("constructor(uint256)"));
}

#[test]
fn nobody_but_heirs_construct_an_abstract_contract() {
    let text =
        "pragma solidity ^0.8.20; abstract contract Base { constructor() {} } contract Token { constructor() {} }";
    let visibility =
        |contract: &str| look(&[("a.sol", text)], &format!("a.sol::{contract}.constructor")).unwrap().visibility;
    assert_eq!((visibility("Base"), visibility("Token")), (Some("internal"), Some("public")));
}

#[test]
fn overloads_need_a_signature() {
    let files = [("Vault.sol", VAULT), ("Base.sol", BASE), ("Set.sol", SET)];
    let Err(AuditError::FunctionAmbiguous { candidates, .. }) = look(&files, "Vault.sol::Vault.over") else { panic!() };
    assert_eq!(candidates, ["Vault.over(uint256)", "Vault.over(address)"]);
    assert_eq!(look(&files, "Vault.sol::Vault.over(uint)").unwrap().signature, "over(uint256)");
    let missing = look(&files, "Vault.sol::Vault.wihdraw").unwrap_err();
    assert_eq!(missing.to_string(), "Could not find function wihdraw in contract Vault in file Vault.sol");
}

const SHOP: &str = "import requests
from .prices import price_of, Ledger
from . import config
TOTAL = 0
CACHE = {}
class Base:
    def log(self, text):
        self.lines.append(text)
class Order(Base):
    def __init__(self, items):
        self.items = items
        self.paid = False
    def total(self, extra: Ledger):
        global TOTAL
        TOTAL += 1
        for item in self.items:
            self.log(item)
        sums = [price_of(item) for item in self.items]
        CACHE[self.name] = sums
        requests.post(config.URL, json=sums)
        self.paid = True
        extra.note(sums)
        if not sums:
            raise ValueError('empty')
        return super().log('done')
";
const PRICES: &str = "RATE = 2
def price_of(item):
    return item.price * RATE
class Ledger:
    def note(self, sums):
        self.sums = sums
";

#[test]
fn a_method_of_python() {
    let files = [
        ("shop/order.py", SHOP),
        ("shop/prices.py", PRICES),
        ("shop/config.py", "URL = 'x'\n"),
        ("shop/__init__.py", ""),
    ];
    let function = look(&files, "shop/order.py::Order.total").unwrap();
    let reads = ["global TOTAL", "attribute self.items", "attribute self.name", "global config.URL"];
    assert_eq!(paths(&function.state.reads), reads);
    assert_eq!(paths(&function.state.writes), ["global TOTAL", "global CACHE[self.name]", "attribute self.paid"]);
    let calls = ["inherited Base.log", "imported price_of", "method Ledger.note", "super Base.log"];
    assert_eq!(internal(&function), calls);
    assert_eq!(external(&function), ["package requests.post requests.post", "builtin ValueError ?"]);
    assert_eq!(function.errors[0].error, "ValueError");
    let writes = ["self.lines via Base.log", "self.sums via Ledger.note"];
    assert_eq!(reached(&function.transitive.writes), writes);
    assert_eq!(reached(&function.transitive.reads), ["RATE via price_of"]);
    assert!(order(&function).contains(&"state_write self.paid LATE".to_owned()), "{:?}", order(&function));
}

const CART: &str = "import { priceOf as price } from './prices';
import axios from 'axios';
const { parse } = require('./parse');
let count = 0;
export class Cart extends Base {
  private items: Item[] = [];
  add(item: Item) {
    this.items.push(item);
    count++;
    const total = price(item) + parse(item);
    axios.post('/x', total);
    this.last = total;
    this.emit('added', item);
    if (!total) throw new RangeError('x');
    return this.size();
  }
  size() { return this.items.length; }
}
class Base { emit(name) { this.seen[name] = true; } }
";

#[test]
fn a_method_of_typescript() {
    let files = [
        ("src/cart.ts", CART),
        ("src/prices.ts", "export { priceOf } from './deep';\n"),
        ("src/deep.ts", "const RATE = 2;\nexport function priceOf(item) { return RATE; }\n"),
        ("src/parse.js", "function parse(x) { return x; }\nmodule.exports = { parse };\n"),
    ];
    let function = look(&files, "src/cart.ts::Cart.add").unwrap();
    assert_eq!(paths(&function.state.reads), ["global count"]);
    assert_eq!(paths(&function.state.writes), ["attribute this.items", "global count", "attribute this.last"]);
    let calls = ["imported priceOf", "imported parse", "inherited Base.emit", "own Cart.size"];
    assert_eq!(internal(&function), calls);
    assert_eq!(
        external(&function),
        ["unresolved this.items.push ?", "package axios.post axios.default.post", "builtin RangeError ?"]
    );
    assert_eq!((function.events[0].event.as_str(), function.errors[0].error.as_str()), ("added", "RangeError"));
    assert_eq!(reached(&function.transitive.reads), ["RATE via priceOf", "this.items.length via Cart.size"]);
}

#[test]
fn methods_of_what_is_injected() {
    let controller = "import { Service } from './service';
export class Controller {
  private readonly count: number = 0;
  constructor(private readonly service: Service, other: Other) {}
  async create(@Body() data, // what is sent
               user: User) { Array.isArray(data); this.count.toFixed(); return this.service.create(data); }
}";
    let service = "export class Service { private all: Item[] = []; create(data) { this.all.push(data); } }";
    let files = [("src/controller.ts", controller), ("src/service.ts", service)];
    let function = look(&files, "src/controller.ts::Controller.create").unwrap();
    assert_eq!(function.signature, "create(@Body() data, user: User)");
    assert_eq!(internal(&function), ["method Service.create"]);
    assert_eq!(external(&function)[1..], ["builtin Array.isArray ?", "unresolved this.count.toFixed ?"]);
    assert_eq!(reached(&function.transitive.writes), ["this.all via Service.create"]);
    let python = "import typing as t
from .service import Service, Store
class Shop:
    store: Store
    def __init__(self, service: Service):
        self.service = service
        self.own = Service()
    def run(self) -> t.Optional[t.Any]:
        self.service.go()
        self.own.go()
        return self.store.load()
";
    let service = "class Service:\n    def go(self): pass\nclass Store:\n    def load(self): pass\n";
    let files = [("shop/shop.py", python), ("shop/service.py", service), ("shop/__init__.py", "")];
    let function = look(&files, "shop/shop.py::Shop.run").unwrap();
    assert_eq!(internal(&function), ["method Service.go", "method Service.go", "method Store.load"]);
    assert!(!paths(&function.state.reads).iter().any(|path| path.contains("t.")), "types are not read");
}

#[test]
fn pointers_of_old_compilers() {
    let text = "pragma solidity ^0.4.11;
contract Old {
    struct Order { uint amount; mapping (address => bool) seen; }
    Order[] all;
    function f() public { var order = all[0]; order.amount = 1; order.seen[msg.sender] = true; }
    function g() public { Order order = all[1]; (order.amount, all.length) = (1, 2); }
    function h() public { var (a, b) = (all[2], 1); a.amount = b; if (b == 2) throw; }
}";
    let writes = |name: &str| paths(&look(&[("a.sol", text)], &format!("a.sol::Old.{name}")).unwrap().state.writes);
    assert_eq!(writes("f"), ["state all[0].amount", "state all[0].seen[msg.sender]"]);
    assert_eq!(writes("g"), ["state all[1].amount", "state all.length"]);
    assert_eq!(writes("h"), ["state all[2].amount"]);
}

const POOL: &str = "pragma solidity ^0.8.20;
interface IFeed { function price() external view returns (uint256); function mark() external returns (uint256); }
contract Pool {
    IFeed feed;
    uint256 last;
    error Stale(uint256 age);
    event Marked(uint256 price);
    function refresh(uint256 limit) external { _check(limit); last = feed.price(); }
    function update() external { last = _marked(); }
    function _check(uint256 limit) internal { if (limit == 0) revert Stale(last); _marked(); }
    function _marked() internal returns (uint256 marked) { marked = feed.mark(); emit Marked(marked); }
    function read() external { uint256 seen = feed.price(); last = seen; }
}";

#[test]
fn calls_events_and_errors_are_reached_through_callees() {
    let refresh = look(&[("pool.sol", POOL)], "pool.sol::Pool.refresh").unwrap().transitive;
    let calls: Vec<String> =
        refresh.calls.iter().map(|row| format!("{} {} via {}", row.kind, row.target, row.via)).collect();
    assert_eq!(calls, ["typed feed.mark via Pool._check > Pool._marked"]);
    let events: Vec<String> = refresh.events.iter().map(|row| format!("{} via {}", row.event, row.via)).collect();
    assert_eq!(events, ["Marked(uint256) via Pool._check > Pool._marked"]);
    let errors: Vec<String> = refresh.errors.iter().map(|row| format!("{} via {}", row.error, row.via)).collect();
    assert_eq!(errors, ["Stale via Pool._check"]);
    let python =
        "def f():\n    g()\n\ndef g():\n    requests.get('x')\n    raise ValueError('no')\n\nimport requests\n";
    let reached = look(&[("a.py", python)], "a.py::f").unwrap().transitive;
    assert_eq!(reached.calls.iter().map(|row| row.target.as_str()).collect::<Vec<_>>(), ["requests.get"]);
    assert_eq!(reached.errors.iter().map(|row| row.via.as_str()).collect::<Vec<_>>(), ["g"]);
}

#[test]
fn a_static_call_marks_no_write() {
    let ordered = |name: &str| order(&look(&[("pool.sol", POOL)], &format!("pool.sol::Pool.{name}")).unwrap());
    assert_eq!(ordered("read"), ["static_call feed.price", "state_write last"]);
    assert_eq!(ordered("update"), ["internal_call _marked: calls out", "state_write last LATE"]);
    let old = POOL
        .replace("^0.8.20", "^0.4.24")
        .replace("error Stale(uint256 age);", "")
        .replace("revert Stale(last)", "revert()");
    let read = look(&[("pool.sol", &old)], "pool.sol::Pool.read").unwrap();
    assert_eq!(order(&read), ["external_call feed.price", "state_write last LATE"], "before 0.5 it was a call");
}
