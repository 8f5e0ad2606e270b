// Lists that are walked, and the variables that stand for their parts.
"use strict";

const { innermost } = require("./members.js");

/** The names that stand for each part of a list, or for the first of two: `for (const key of keys)`, `keys.map((key) => …)`. */
function* walkers(ts, checker, list) {
  const whole = outermost(ts, list);
  const { parent } = whole;
  if (ts.isForOfStatement(parent) && parent.expression === whole) {
    if (ts.isVariableDeclarationList(parent.initializer)) yield first(ts, parent.initializer.declarations[0].name);
  } else if (ts.isPropertyAccessExpression(parent) && ts.isCallExpression(parent.parent)) {
    const [callback] = parent.parent.arguments;
    const isCalled = callback && (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback));
    if (isCalled && callback.parameters[0]) yield first(ts, callback.parameters[0].name);
  } else if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) && whole === parent.initializer) {
    for (const use of usesOf(ts, checker, parent.name)) yield* walkers(ts, checker, use);
  }
}

/** The first name of `[key, value]`. */
function first(ts, name) {
  const [element] = ts.isArrayBindingPattern(name) ? name.elements : [];
  return element && ts.isBindingElement(element) ? element.name : name;
}

/** The object that a key is used to ask, if it is used for that: `job` in `job[key as keyof Job]`. */
function askedWith(ts, key) {
  const whole = outermost(ts, key);
  return ts.isElementAccessExpression(whole.parent) && whole.parent.argumentExpression === whole
    ? plain(ts, whole.parent.expression)
    : undefined;
}

function outermost(ts, node) {
  let whole = node;
  while (isWrapped(ts, whole.parent)) whole = whole.parent;
  return whole;
}

/** An expression without parentheses and without what is asserted of it. */
function plain(ts, expression) {
  let node = expression;
  while (isWrapped(ts, node)) node = node.expression;
  return node;
}

function isWrapped(ts, node) {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isNonNullExpression(node) ||
    (ts.isSatisfiesExpression?.(node) ?? false)
  );
}

/** The uses of a variable in its file. */
function usesOf(ts, checker, name) {
  if (!ts.isIdentifier(name)) return [];
  const file = name.getSourceFile();
  const symbol = checker.getSymbolAtLocation(name);
  const uses = [];
  for (let at = file.text.indexOf(name.text); at >= 0; at = file.text.indexOf(name.text, at + 1)) {
    const one = innermost(ts, file, at);
    const isOther = one === name || !ts.isIdentifier(one) || one.getStart(file) !== at;
    if (!isOther && checker.getSymbolAtLocation(one) === symbol) uses.push(one);
  }
  return uses;
}

module.exports = { walkers, usesOf, askedWith, plain };
