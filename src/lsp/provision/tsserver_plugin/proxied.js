// Objects that answer for any member as they are asked: `new Proxy(target, { get(target, key) { … } })`.
"use strict";

const { askedWith, outermost, plain, usesOf } = require("./walked.js");

/** The functions of a handler that are given a target and a key. */
const TRAPS = new Set(["get", "set", "has", "deleteProperty", "defineProperty", "getOwnPropertyDescriptor"]);

/** The functions of a proxy's handler that are given a key, as far as the handler is to be seen. */
function traps(ts, checker, made) {
  if (!ts.isIdentifier(made.expression) || made.expression.text !== "Proxy" || made.arguments?.length !== 2) return [];
  const handler = written(ts, checker, made.arguments[1]);
  if (!ts.isObjectLiteralExpression(handler)) return [];
  const functions = handler.properties.filter((one) => one.name && TRAPS.has(one.name.text)).map((one) => {
    const body = ts.isPropertyAssignment(one) ? plain(ts, one.initializer) : one;
    return ts.isFunctionLike(body) ? body : undefined;
  });
  return functions.filter((one) => one && one.parameters.length > 1 && ts.isIdentifier(one.parameters[1].name));
}

/** What a variable that is never assigned again begins as, or an expression itself. */
function written(ts, checker, expression) {
  const node = plain(ts, expression);
  const declared = ts.isIdentifier(node) && checker.getSymbolAtLocation(node)?.valueDeclaration;
  const isConstant = declared && ts.isVariableDeclaration(declared) && declared.parent.flags & ts.NodeFlags.Const;
  return isConstant && declared.initializer ? plain(ts, declared.initializer) : node;
}

/** Tells whether such a function does no more with its key than to ask the target for it, or to compare it. */
function handsOn(ts, checker, trap) {
  const [target, key] = trap.parameters;
  return usesOf(ts, checker, key.name).every((use) => {
    const asked = askedWith(ts, use) ?? reflected(ts, use) ?? contained(ts, use);
    return asked ? asked.getText() === target.name.getText() : isCompared(ts, use);
  });
}

/** `target` in `Reflect.get(target, key)`. */
function reflected(ts, key) {
  const whole = outermost(ts, key);
  const call = whole.parent;
  if (!ts.isCallExpression(call) || call.arguments[1] !== whole) return undefined;
  return call.expression.getText().startsWith("Reflect.") ? plain(ts, call.arguments[0]) : undefined;
}

/** `target` in `key in target`. */
function contained(ts, key) {
  const { parent } = outermost(ts, key);
  const isIn = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InKeyword;
  return isIn ? plain(ts, parent.right) : undefined;
}

/** `key === "then"`, `typeof key`: a string that says a member's name is told of by itself. */
function isCompared(ts, key) {
  const whole = outermost(ts, key);
  const { parent } = whole;
  if (ts.isTypeOfExpression(parent)) return true;
  if (!ts.isBinaryExpression(parent)) return false;
  const other = plain(ts, parent.left === whole ? parent.right : parent.left);
  const { EqualsEqualsToken, EqualsEqualsEqualsToken, ExclamationEqualsToken, ExclamationEqualsEqualsToken } = ts.SyntaxKind;
  const equal = [EqualsEqualsToken, EqualsEqualsEqualsToken, ExclamationEqualsToken, ExclamationEqualsEqualsToken];
  return equal.includes(parent.operatorToken.kind) && (ts.isStringLiteralLike(other) || isSymbol(ts, other));
}

/** `Symbol.iterator` */
function isSymbol(ts, node) {
  return ts.isPropertyAccessExpression(node) && node.expression.getText() === "Symbol";
}

module.exports = { handsOn, traps };
