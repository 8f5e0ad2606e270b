//! Entrypoints of contracts and of programs.

use super::*;

fn listed(files: &[(&str, &str)], family: Family, views: Views) -> Entrypoints {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    Entrypoints::of(&Sources::given(files).unwrap(), family, views).unwrap()
}

fn contracts(files: &[(&str, &str)], views: Views) -> Vec<String> {
    let Entrypoints::Contracts { rows, .. } = listed(files, Family::Solidity, views) else { panic!("contracts") };
    let row = |row: ContractRow| {
        let from = row.inherited_from.map(|from| format!(" from {from}")).unwrap_or_default();
        let place = format!("{}:{}", row.location.line, row.location.column);
        format!(
            "{} {} {} {} {} [{}] {place}{from}",
            row.contract, row.contract_kind, row.kind, row.signature, row.mutability, row.modifiers
        )
    };
    rows.into_iter().map(row).collect()
}

fn program(path: &str, text: &str) -> Vec<String> {
    let family = if path.ends_with(".py") { Family::Python } else { Family::Script };
    let Entrypoints::Program { rows, .. } = listed(&[(path, text)], family, Views::LeaveOut) else {
        panic!("a program")
    };
    let row = |row: ProgramRow| {
        let words = [Some(row.kind), row.framework, row.trigger.as_deref(), row.class.as_deref(), Some(&row.signature)];
        format!("{} {}", row.location.line, words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    };
    rows.into_iter().map(row).collect()
}

const VAULT: &str = "import {Base as B} from './base.sol';
contract Vault is B {
    struct Order { address who; uint[2] amounts; }
    uint public total;
    mapping(address => mapping(uint => bool)) public seen;
    constructor() {}
    function withdraw(uint amount) external only(1) nonReentrant returns (bool) { total -= amount; return true; }
    function fill(Order calldata order, IToken token, Kind kind) public payable {}
    function look() external view returns (uint) { return total; }
    function hook() internal override {}
    receive() external payable {}
    fallback() external {}
}
enum Kind { A, B }
interface IToken { function transfer(address to, uint256 value) external returns (bool); }
library Maths { function twice(uint a) external pure returns (uint) { return a * 2; } function kept(uint[] storage a) public { a.push(1); } }";

const BASE: &str = "abstract contract Base {
    modifier only(uint a) { _; }
    modifier nonReentrant() { _; }
    function pause() public virtual only(2) {}
    function withdraw(uint256 amount) external virtual returns (bool) {}
    function hook() internal virtual {}
}";

#[test]
fn functions_that_change_state_with_where_they_come_from() {
    let rows = contracts(&[("c/vault.sol", VAULT), ("c/base.sol", BASE)], Views::LeaveOut);
    let expected = [
        "Base abstract function pause() nonpayable [only(2)] 4:14",
        "Base abstract function withdraw(uint256) nonpayable [] 5:14",
        "Vault contract function withdraw(uint256) nonpayable [only(1) nonReentrant] 7:14",
        "Vault contract function fill((address,uint256[2]),address,uint8) payable [] 8:14",
        "Vault contract receive receive() payable [] 11:5",
        "Vault contract fallback fallback() nonpayable [] 12:5",
        "Vault contract function pause() nonpayable [only(2)] 4:14 from Base",
        "IToken interface function transfer(address,uint256) nonpayable [] 15:29",
        "Maths library function kept(uint256[] storage) nonpayable [] 16:96",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn views_and_getters_are_listed_when_they_are_asked_for() {
    let rows = contracts(&[("vault.sol", VAULT)], Views::Include);
    assert!(rows.iter().any(|row| row.starts_with("Vault contract getter seen(address,uint256) view")), "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("Vault contract function look() view")), "{rows:#?}");
    let Entrypoints::Contracts { gaps, .. } = listed(&[("vault.sol", VAULT)], Family::Solidity, Views::Include) else {
        panic!("contracts")
    };
    let told: Vec<&str> = gaps.unresolved.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(told, ["./base.sol", "B"], "what an import would bring is told to be missing");
}

#[test]
fn routes_of_express() {
    let rows = program(
        "app.js",
        "const express = require('express');
const app = express();
const users = express.Router();
app.use('/users', auth, users);
app.get('/health', (req, res) => res.send('ok'));
users.post('/:id', check, async function create(req, res) {});
users.route('/:id/items').get(list).delete(remove);
function list(req, res) {}
app.get('setting');
cache.get('/x', () => 1);
app.listen(3000);
process.on('SIGTERM', () => stop());",
    );
    let expected = [
        "4 http_middleware express USE /users users",
        "5 http_route express GET /health (req, res)",
        "6 http_route express POST /:id create(req, res)",
        "7 http_route express DELETE /:id/items remove",
        "8 http_route express GET /:id/items list(req, res)",
        "12 event_handler process SIGTERM ()",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn routes_of_fastify_and_handlers_of_a_cloud() {
    let rows = program(
        "server.ts",
        "import Fastify from 'fastify';
const fastify = Fastify({ logger: true });
fastify.get<{ Params: P }>('/a', { schema }, async (request, reply) => {});
fastify.route({ method: 'PUT', url: '/b', handler: put });
async function put(request: FastifyRequest) {}
export const handler = async (event: Event) => {};
export function open(a: string): void {}
function shut() {}
export default function main() {}
const later = (x) => x;
export { later };",
    );
    let expected = [
        "3 http_route fastify GET /a (request, reply)",
        "5 http_route fastify PUT /b put(request: FastifyRequest)",
        "6 lambda handler(event: Event)",
        "7 export open(a: string)",
        "9 export main()",
        "10 export later(x)",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn controllers_of_nest() {
    let rows = program(
        "cats.controller.ts",
        "import { Controller, Get, Post, Body } from '@nestjs/common';
@Controller('cats')
export class CatsController {
  @Get(':id')
  async one(@Param('id') id: string) {}
  @Post()
  @UseGuards(Guard)
  create(@Body() cat: Cat) {}
  @EventPattern('cat_born')
  born(data) {}
  helper() {}
}",
    );
    let expected = [
        "5 http_route nestjs GET /cats/:id CatsController one(@Param('id') id: string)",
        "8 http_route nestjs POST /cats CatsController create(@Body() cat: Cat)",
        "10 event_handler nestjs cat_born CatsController born(data)",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn commands_of_scripts() {
    let rows = program(
        "cli.js",
        "const { program } = require('commander');
program.command('build <dir>').description('x').action(build);
program.action((options) => {});
function build(dir) {}",
    );
    assert_eq!(rows, ["3 cli_command commander (options)", "4 cli_command commander build <dir> build(dir)"]);
}

#[test]
fn routes_of_fastapi_and_flask() {
    let fastapi = program(
        "api.py",
        "from fastapi import APIRouter
router = APIRouter(prefix=\"/items\")
@router.get(\"/{item_id}\")
async def read(item_id: int): ...
@router.websocket(\"/ws\")
async def ws(socket): ...
def helper(): ...
def _private(): ...",
    );
    let expected = [
        "4 http_route fastapi GET /items/{item_id} read(item_id: int)",
        "6 http_route fastapi WEBSOCKET /ws ws(socket)",
        "7 export helper()",
    ];
    assert_eq!(fastapi, expected);
    let flask = program(
        "web.py",
        "from flask import Blueprint
bp = Blueprint('a', __name__, url_prefix='/a')
@bp.route('/x', methods=['GET', 'POST'])
def x(): pass
bp.add_url_rule('/y', 'y', view_func=y)
def y(): pass
@bp.errorhandler(404)
def lost(e): pass
if __name__ == '__main__':
    x()",
    );
    let expected = [
        "4 cli_command python web.py x()",
        "4 http_route flask GET,POST /a/x x()",
        "6 http_route flask GET /a/y y()",
        "8 http_middleware flask ERROR 404 lost(e)",
    ];
    assert_eq!(flask, expected);
}

#[test]
fn what_stands_around_routes() {
    let flask = program(
        "web.py",
        "from flask import Flask
app = Flask(__name__)
@app.before_app_request
def load(): pass
@app.errorhandler(Lost)
def lost(e): pass
app.teardown_appcontext(close)
app.register_error_handler(500, broken)
def close(e): pass",
    );
    let expected = [
        "4 http_middleware flask BEFORE load()",
        "6 http_middleware flask ERROR Lost lost(e)",
        "8 http_middleware flask ERROR 500 broken",
        "9 http_middleware flask AFTER close(e)",
    ];
    assert_eq!(flask, expected);
    let fastapi = program(
        "main.py",
        "from fastapi import FastAPI
app = FastAPI()
app.add_event_handler('startup', connect(app))
app.add_exception_handler(HTTPException, http_error)
@app.get('')
def root(): pass",
    );
    let expected = [
        "3 event_handler fastapi startup connect",
        "4 http_middleware fastapi ERROR HTTPException http_error",
        "6 http_route fastapi GET / root()",
    ];
    assert_eq!(fastapi, expected);
    let fastify = program(
        "services/todo.js",
        "module.exports = async function (fastify, opts) {
  fastify.addHook('onRequest', async (request) => {});
  fastify.setNotFoundHandler(function (request, reply) {});
};",
    );
    let expected = [
        "1 export exports(fastify, opts)",
        "2 http_middleware fastify onRequest (request)",
        "3 http_middleware fastify NOT FOUND (request, reply)",
    ];
    assert_eq!(fastify, expected);
}

#[test]
fn views_of_the_rest_framework_and_tasks() {
    let views = program(
        "shop/views.py",
        "from rest_framework import viewsets
class Orders(viewsets.ModelViewSet):
    def list(self, request): pass
    @action(detail=True, methods=['post'])
    def cancel(self, request, pk): pass
    def helper(self): pass",
    );
    let expected = [
        "3 http_route django GET Orders list(self, request)",
        "5 http_route django POST Orders cancel(self, request, pk)",
    ];
    assert_eq!(views, expected);
    let tasks = program(
        "tasks.py",
        "from celery import shared_task
@shared_task(ignore_result=False)
def add(a): pass
@shared_task('shop.sum')
def total(a): pass",
    );
    assert_eq!(tasks, ["3 event_handler celery add(a)", "5 event_handler celery 'shop.sum' total(a)"]);
}

#[test]
fn tests_export_nothing() {
    assert!(program("tests/test_shop.py", "def test_total(): pass").is_empty());
    assert!(program("src/shop.spec.ts", "export function build() {}").is_empty());
}

#[test]
fn urls_of_django_and_commands_of_python() {
    let urls = program(
        "shop/urls.py",
        "from django.urls import path, include
from . import views
urlpatterns = [path('cart/', views.cart, name='cart'), path('all/', views.All.as_view()), path('x/', include('x.urls'))]",
    );
    assert_eq!(urls, ["3 http_route django ANY /cart/ views.cart", "3 http_route django ANY /all/ views.All"]);
    let click = program(
        "cli.py",
        "import click
@click.group()
def cli(): pass
@cli.command('make-it')
@click.option('--x')
def make(x): pass
def lambda_handler(event, context): pass",
    );
    let expected = [
        "3 cli_command click cli cli()",
        "6 cli_command click make-it make(x)",
        "7 lambda lambda_handler(event, context)",
    ];
    assert_eq!(click, expected);
}

#[test]
fn other_languages_are_refused() {
    let sources = Sources::given(vec![("a.go".to_owned(), "package a".to_owned())]).unwrap();
    assert!(matches!(Entrypoints::of(&sources, Family::Go, Views::LeaveOut), Err(AuditError::Language(_))));
}
