// Lists that are walked, and the variables that stand for their parts.
"use strict";

const { innermost } = require("./members.js");

/** Methods of a list that hand each part to a callback, by where that takes it; nothing else comes of the parts. */
const WALKING = { forEach: 0, some: 0, every: 0, map: 0, flatMap: 0, filter: 0, reduce: 1 };

/**
 * The names that stand for each part of a list, or for the first of two: `for (const key of keys)`, `keys.map((key) => …)`; or
 * for what is at a place of each: `for (const [from, to] of pairs)`.
 */
function* walkers(ts, checker, list, place = 0) {
  const { variable, part } = walk(ts, list, place);
  if (part) yield part;
  if (variable) for (const use of usesOf(ts, checker, variable)) yield* walkers(ts, checker, use, place);
}

/** Tells whether the parts of a list are used for more than what `areOther` tells of the names that stand for them. */
function isUsed(ts, checker, list, areOther) {
  const { variable, part, rest, isCounted } = walk(ts, list);
  if (isCounted) return false;
  if (variable && isExported(ts, variable)) return true;
  if (variable) return usesOf(ts, checker, variable).some((use) => isUsed(ts, checker, use, areOther));
  if (!part) return true;
  return (!isNothing(ts, part) && areOther(part)) || (rest !== undefined && isUsed(ts, checker, rest, areOther));
}

/** What becomes of a list: a `variable` that holds it, or a `part` that stands for each; the `rest` is a list of its parts. */
function walk(ts, list, place = 0) {
  const whole = outermost(ts, list);
  const { parent } = whole;
  if (ts.isForOfStatement(parent) && parent.expression === whole) {
    const isDeclared = ts.isVariableDeclarationList(parent.initializer);
    return isDeclared ? { part: at(ts, parent.initializer.declarations[0].name, place) } : {};
  }
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) && whole === parent.initializer) {
    return parent.parent.flags & ts.NodeFlags.Const ? { variable: parent.name } : {};
  }
  if (!ts.isPropertyAccessExpression(parent)) return {};
  if (parent.name.text === "length") return { isCounted: true };
  const call = ts.isCallExpression(parent.parent) && parent.parent.expression === parent ? parent.parent : undefined;
  const callback = call?.arguments[0];
  const isCalled = callback && (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback));
  const parameter = isCalled ? callback.parameters[WALKING[parent.name.text]] : undefined;
  if (!parameter) return {};
  return { part: at(ts, parameter.name, place), rest: parent.name.text === "filter" ? call : undefined };
}

/** The name at a place of `[key, value]`. */
function at(ts, name, place) {
  const element = ts.isArrayBindingPattern(name) ? name.elements[place] : undefined;
  return element && ts.isBindingElement(element) ? element.name : (element ?? name);
}

/** A variable of which other files may make anything. */
function isExported(ts, { parent }) {
  const statement = parent.parent.parent;
  return ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent) && !isLocal(ts, statement);
}

/** Tells whether a file hands on nothing that a statement at its top declares. */
function isLocal(ts, statement) {
  const isHandedOn = (one) => ts.isExportDeclaration(one) || ts.isExportAssignment(one);
  const says = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  return !says && ts.isExternalModule(statement.parent) && !statement.parent.statements.some(isHandedOn);
}

/** `[, value]` leaves the key out. */
function isNothing(ts, part) {
  return ts.isOmittedExpression(part);
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

module.exports = { WALKING, askedWith, isUsed, outermost, plain, usesOf, walkers };
