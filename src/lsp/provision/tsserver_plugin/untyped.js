// Where a member is meant of a value that no type is known of: the key that one is asked for (`"run" in value`), and the
// members of an object that goes where anything may (`const value: any = { run: … }`), by a variable, too, to a function of no
// known type, or that a test compares with a value of none.
"use strict";

const { askedInCall } = require("./keys.js");
const { compared } = require("./tested.js");
const { plain, usesOf } = require("./walked.js");

/** A value is followed over so many variables. */
const STEPS = 4;

/** The strings of a node by which an object is asked for a member, each with the object. */
function* keysAsked(ts, node) {
  if (ts.isElementAccessExpression(node)) {
    if (ts.isStringLiteralLike(node.argumentExpression)) yield { object: node.expression, open: node.argumentExpression };
  } else if (ts.isBinaryExpression(node)) {
    const isAsked = node.operatorToken.kind === ts.SyntaxKind.InKeyword && ts.isStringLiteralLike(node.left);
    if (isAsked) yield { object: node.right, open: node.left };
  } else if (ts.isCallExpression(node)) {
    for (const open of node.arguments.filter((one) => ts.isStringLiteralLike(one))) {
      const object = askedInCall(ts, node, open);
      if (object) yield { object, open };
    }
  }
}

/** Tells whether nobody knows whether an object has a member of the name. */
function isOpen(ts, checker, object, name) {
  const type = checker.getTypeAtLocation(plain(ts, object));
  return isAnything(ts, type) && !checker.getPropertyOfType(checker.getApparentType(type), name);
}

/** Tells whether the member of an object literal goes where its type is lost, in code of the project's own. */
function isLost(ts, checker, isForeign, literal, name) {
  for (let node = literal; ; ) {
    const expected = checker.getContextualType(node);
    if (expected && isAnything(ts, expected)) return isTaken(ts, checker, isForeign, node);
    const { parent } = node;
    if (isChoice(ts, parent) && isAnything(ts, checker.getTypeAtLocation(parent)) && !(expected && has(checker, expected, name))) {
      return isTaken(ts, checker, isForeign, parent);
    }
    if (isNamed(ts, node)) return usesOf(ts, checker, parent.name).some((use) => isHandedOn(ts, checker, isForeign, use));
    const isPart = ts.isPropertyAssignment(parent) && parent.initializer === node;
    if (!isPart && !isChoice(ts, parent) && !ts.isArrayLiteralExpression(parent)) return isGiven(ts, checker, node) || isTested(ts, checker, node);
    node = isPart ? parent.parent : parent;
  }
}

/** Tells whether a variable without a type of its own holds an object: `const options = { depth: 1 }`. */
function isNamed(ts, node) {
  const { parent } = node;
  return ts.isVariableDeclaration(parent) && parent.initializer === node && !parent.type && ts.isIdentifier(parent.name);
}

/** Tells whether a variable is given to a function of the project that takes anything: `walk(options)`. */
function isHandedOn(ts, checker, isForeign, use) {
  const isArgument = ts.isCallOrNewExpression(use.parent) && (use.parent.arguments ?? []).includes(use);
  const expected = isArgument && checker.getContextualType(use);
  return isGiven(ts, checker, use) || (Boolean(expected) && isAnything(ts, expected) && isTaken(ts, checker, isForeign, use));
}

/** `is ? { run: … } : value`: where the other one may be anything, so may the whole. */
function isChoice(ts, node) {
  const { BarBarToken, QuestionQuestionToken } = ts.SyntaxKind;
  const isEither = ts.isBinaryExpression(node) && [BarBarToken, QuestionQuestionToken].includes(node.operatorToken.kind);
  return isEither || ts.isConditionalExpression(node) || ts.isParenthesizedExpression(node);
}

function has(checker, type, name) {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => checker.getPropertyOfType(checker.getApparentType(part), name) !== undefined);
}

/** Tells whether a test compares an expression with a value that no type is known of: `expect(seen.mock.calls[0][0])`. */
function isTested(ts, checker, expression) {
  const { parent } = expression;
  const isPart = ts.isCallExpression(parent) && parent.expression.getText() === "expect.objectContaining";
  const compares = compared(ts, isPart ? parent.parent : parent).filter(({ given }) => given === expression);
  return compares.some(({ actual, index }) => {
    const type = checker.getTypeAtLocation(actual);
    const whole = checker.getAwaitedType?.(type) ?? type;
    return isAnything(ts, index === undefined ? whole : argumentType(ts, checker, whole, index, actual));
  });
}

/** Tells whether an expression is given to a function of another file of the project's, of which no type is known. */
function isGiven(ts, checker, expression) {
  const { parent } = expression;
  if (!ts.isCallOrNewExpression(parent) || !parent.arguments?.includes(expression)) return false;
  const callee = plain(ts, parent.expression);
  return isAnything(ts, checker.getTypeAtLocation(callee)) && isOfFile(ts, checker, callee, STEPS);
}

/** Tells whether an expression is what another file gives (`require("./walk")`), a member of that, or what a call of it returns. */
function isOfFile(ts, checker, expression, steps) {
  let root = plain(ts, expression);
  while (ts.isPropertyAccessExpression(root) || (ts.isCallOrNewExpression(root) && !isRequire(ts, root))) root = plain(ts, root.expression);
  if (isRequire(ts, root)) return root.arguments[0].text.startsWith(".");
  const [declared] = (ts.isIdentifier(root) && checker.getSymbolAtLocation(root)?.declarations) || [];
  if (!declared || steps === 0) return false;
  const imported = ts.findAncestor(declared, ts.isImportDeclaration);
  if (imported) return imported.moduleSpecifier.text.startsWith(".");
  const variable = ts.findAncestor(declared, ts.isVariableDeclaration);
  const isOwn = variable && (variable === declared || ts.isBindingElement(declared));
  return isOwn && variable.initializer !== undefined && isOfFile(ts, checker, variable.initializer, steps - 1);
}

/** Tells whether an expression is `require("./store")`. */
function isRequire(ts, node) {
  const { expression, arguments: given = [] } = ts.isCallExpression(node) ? node : {};
  return expression !== undefined && ts.isIdentifier(expression) && expression.text === "require" && given.length > 0 && ts.isStringLiteralLike(given[0]);
}

/** The type of what a function is given; its own where it tells none. */
function argumentType(ts, checker, type, index, at) {
  const { parameters = [] } = checker.getSignaturesOfType(type, ts.SignatureKind.Call)[0] ?? {};
  const parameter = parameters[Math.min(index, parameters.length - 1)];
  if (!parameter) return type;
  const taken = checker.getTypeOfSymbolAtLocation(parameter, at);
  return checker.getIndexTypeOfType(taken, ts.IndexKind.Number) ?? taken;
}

/** Tells whether no library's function is given an expression: it knows no member of the project's. */
function isTaken(ts, checker, isForeign, expression) {
  let node = expression;
  const goesOn = ({ parent }) => ts.isExpression(parent) && !ts.isCallOrNewExpression(parent) && !ts.isFunctionLike(parent);
  while (goesOn(node)) node = node.parent;
  const { parent } = node;
  if (!ts.isCallOrNewExpression(parent) || !parent.arguments?.includes(node)) return true;
  const declaration = checker.getResolvedSignature(parent)?.getDeclaration?.();
  const isOwn = declaration !== undefined && !isForeign(declaration.getSourceFile());
  return isOwn || isTested(ts, checker, node) || isGiven(ts, checker, node);
}

function isAnything(ts, type) {
  const parts = type.isUnionOrIntersection() ? type.types : [type];
  const { Any, Unknown, NonPrimitive } = ts.TypeFlags;
  return parts.some(({ flags }) => (flags & (Any | Unknown | NonPrimitive)) !== 0);
}

module.exports = { isLost, isOpen, isRequire, keysAsked };
