// What tests say of a value and its members (Jest, Vitest, Chai, Sinon, Node's own): the libraries' types hold none of it.
"use strict";

/** Matchers that compare all members of a value with what they are given. */
const MATCHING = new Set(["toEqual", "toStrictEqual", "toMatchObject", "eql", "eqls"]);
/** Those that do so behind `deep` alone. */
const MATCHING_DEEP = new Set(["equal", "equals", "include"]);
/** Matchers that are given the arguments of a call. */
const CALLED = new Set(["toHaveBeenCalledWith", "toHaveBeenLastCalledWith", "toBeCalledWith", "toHaveBeenCalledExactlyOnceWith"]);
/** Assertions that compare two values. */
const ASSERTING = new Set(["deepEqual", "deepStrictEqual", "partialDeepStrictEqual", "deepLooseEqual"]);
/** What puts a double in the place of an object's member, by who does it. */
const REPLACING = {
  spyOn: /^(vi|vitest|jest)$/,
  replaceProperty: /^jest$/,
  stub: /^(sinon|sandbox)$/,
  spy: /^(sinon|sandbox)$/,
  method: /(^|\.)mock$/,
};
/** What puts a double in the place of a module, by who does it. */
const MOCKING = { mock: /^(vi|vitest|jest)$/, doMock: /^(vi|vitest|jest)$/, unstable_mockModule: /^jest$/, module: /^mock$/ };

/** What is compared in a call, each with the value that it has to equal; of arguments, with the function that takes them. */
function compared(ts, call) {
  const { expression, arguments: given } = call;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(expression) || given.length === 0) return [];
  const matcher = expression.name.text;
  if (ASSERTING.has(matcher) && given.length > 1) return [{ given: given[1], actual: given[0] }];
  const isCalled = CALLED.has(matcher);
  const isDeep = () => MATCHING_DEEP.has(matcher) && /\.deep\b/.test(expression.expression.getText());
  if (!isCalled && !MATCHING.has(matcher) && !isDeep()) return [];
  const actual = expected(ts, expression);
  if (!actual) return [];
  if (!isCalled) return [{ given: contained(ts, given[0]), actual }];
  return given.map((argument, index) => ({ given: contained(ts, argument), actual, index }));
}

/** `job` in `expect(job).not.toEqual`. */
function expected(ts, matcher) {
  let inner = matcher.expression;
  while (ts.isPropertyAccessExpression(inner)) inner = inner.expression;
  if (!ts.isCallExpression(inner)) return undefined;
  return /^expect\b/.test(inner.expression.getText()) ? inner.arguments[0] : undefined;
}

/** `{ name: "a" }` in `expect.objectContaining({ name: "a" })`. */
function contained(ts, given) {
  const isPart = ts.isCallExpression(given) && given.expression.getText() === "expect.objectContaining";
  return isPart ? (given.arguments[0] ?? given) : given;
}

/** The object of which a string names a member: `vi.spyOn(job, "run")`, `expect(job).toHaveProperty("run")`. */
function replaced(ts, { expression, arguments: given }, key) {
  if (ts.isIdentifier(expression)) return expression.text === "spyOn" && given?.[1] === key ? given[0] : undefined;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { expression: owner, name } = expression;
  if (name.text === "toHaveProperty" && given?.[0] === key) return expected(ts, expression);
  return isBy(REPLACING, name.text, owner) && given?.[1] === key ? given[0] : undefined;
}

/** The members of a module that a double stands for: `vi.mock("./job", () => ({ run: … }))`. */
function mocked(ts, call) {
  const { expression, arguments: given } = call;
  const isMock = ts.isPropertyAccessExpression(expression) && isBy(MOCKING, expression.name.text, expression.expression);
  const [module, factory] = given;
  if (!isMock || !factory || !ts.isFunctionLike(factory) || !factory.body) return [];
  const literals = returned(ts, factory.body);
  const keys = literals.flatMap(({ properties }) => properties.map(({ name }) => name)).filter((name) => name?.text);
  // `vi.mock(import("./job"), …)`
  const specifier = ts.isCallExpression(module) ? module.arguments[0] : module;
  return specifier && ts.isStringLiteralLike(specifier) ? keys.map((key) => ({ specifier, key })) : [];
}

/** The object literals that a function returns. */
function returned(ts, body) {
  const literal = (node) => {
    let inner = node;
    while (inner && (ts.isParenthesizedExpression(inner) || ts.isAsExpression(inner))) inner = inner.expression;
    return inner && ts.isObjectLiteralExpression(inner) ? [inner] : [];
  };
  if (!ts.isBlock(body)) return literal(body);
  const found = [];
  const visit = (node) => {
    if (ts.isReturnStatement(node)) found.push(...literal(node.expression));
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function isBy(tools, name, owner) {
  return Object.hasOwn(tools, name) && tools[name].test(owner.getText());
}

module.exports = { compared, mocked, replaced };
