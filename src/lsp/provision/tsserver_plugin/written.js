// Types as they are written where a value goes. The compiler forgets of what object `keyof typeof jobs` took the keys.
"use strict";

const { plain } = require("./walked.js");

/** Names are followed over so many declarations. */
const STEPS = 6;

/** The types of whose keys a written type is one: `Job` for `keyof Job`, that of `jobs` for `keyof typeof jobs`. */
function ownersWritten(ts, checker, node, steps = STEPS) {
  if (!node || steps === 0) return [];
  const inner = (one) => ownersWritten(ts, checker, one, steps - 1);
  if (isKeyOf(ts, node)) return [checker.getTypeFromTypeNode(node.type)];
  if (ts.isParenthesizedTypeNode(node)) return inner(node.type);
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return node.types.flatMap(inner);
  // `{ [K in keyof T]: … ? K : never }[keyof T]`
  if (ts.isIndexedAccessTypeNode(node) && ts.isMappedTypeNode(node.objectType)) return inner(node.indexType);
  if (!ts.isTypeReferenceNode(node)) return [];
  const owners = declarationsOf(checker, ts, node.typeName).flatMap((declaration) => {
    const passed = (owner) => argumentOf(checker, declaration, node, owner) ?? owner;
    return inner(declaration.type ?? declaration.constraint).map(passed);
  });
  return owners.length > 0 ? owners : (node.typeArguments ?? []).filter(() => isComparing(node)).flatMap(inner);
}

/** The type that is written where an expression goes. */
function writtenType(ts, checker, expression) {
  const { parent } = expression;
  if (ts.isAsExpression(parent) || ts.isSatisfiesExpression?.(parent)) {
    return ts.isConstTypeReference?.(parent.type) ? writtenType(ts, checker, parent) : parent.type;
  }
  if (ts.isParenthesizedExpression(parent) || isChoice(ts, parent, expression)) return writtenType(ts, checker, parent);
  if (parent.initializer === expression && !ts.isPropertyAssignment(parent)) return parent.type;
  if (ts.isPropertyAssignment(parent)) return ofProperty(ts, checker, parent);
  if (ts.isReturnStatement(parent)) return around(ts, parent)?.type;
  if (ts.isArrowFunction(parent)) return parent.type;
  if (ts.isCaseClause(parent)) return declaredType(ts, checker, parent.parent.parent.expression);
  if (ts.isBinaryExpression(parent)) return declaredType(ts, checker, parent.left === expression ? parent.right : parent.left);
  if (ts.isArrayLiteralExpression(parent)) return elementType(ts, checker, writtenType(ts, checker, parent));
  return ts.isCallOrNewExpression(parent) ? ofArgument(ts, checker, parent, expression) : undefined;
}

/** The type that is written where a variable, a parameter or a member is declared. */
function declaredType(ts, checker, expression) {
  const own = plain(ts, expression);
  const name = ts.isPropertyAccessExpression(own) ? own.name : own;
  return checker.getSymbolAtLocation(name)?.valueDeclaration?.type;
}

function ofArgument(ts, checker, call, argument) {
  const parameters = checker.getResolvedSignature(call)?.getDeclaration?.()?.parameters.filter(({ name }) => name.text !== "this");
  const position = call.arguments?.indexOf(argument) ?? -1;
  if (!parameters?.length || position < 0) return undefined;
  const parameter = parameters[Math.min(position, parameters.length - 1)];
  return parameter.dotDotDotToken ? elementType(ts, checker, parameter.type) : parameter.type;
}

function ofProperty(ts, checker, { name, parent }) {
  const expected = checker.getContextualType(parent);
  return expected && name.text !== undefined ? checker.getPropertyOfType(expected, name.text)?.valueDeclaration?.type : undefined;
}

/** What a list holds: `Name` of `Name[]`, `ReadonlyArray<Name>` or `readonly Name[]`. */
function elementType(ts, checker, node, steps = STEPS) {
  if (!node || steps === 0) return undefined;
  const inner = (one) => elementType(ts, checker, one, steps - 1);
  if (ts.isArrayTypeNode(node)) return node.elementType;
  if (ts.isParenthesizedTypeNode(node) || (ts.isTypeOperatorNode(node) && !isKeyOf(ts, node))) return inner(node.type);
  if (!ts.isTypeReferenceNode(node)) return undefined;
  if (node.typeArguments?.length === 1) return node.typeArguments[0];
  return declarationsOf(checker, ts, node.typeName).map(({ type }) => inner(type)).find(Boolean);
}

/** What is passed for a parameter of a type that has another name. */
function argumentOf(checker, { typeParameters = [] }, { typeArguments = [] }, owner) {
  const passed = typeArguments[typeParameters.findIndex((one) => checker.getTypeAtLocation(one) === owner)];
  return passed && checker.getTypeFromTypeNode(passed);
}

/** What declares a name of a type and says of which it is another name, or which it extends. */
function declarationsOf(checker, ts, name) {
  let symbol = checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const isNaming = (one) => ts.isTypeAliasDeclaration(one) || ts.isTypeParameterDeclaration(one);
  return (symbol?.declarations ?? []).filter(isNaming);
}

function isKeyOf(ts, node) {
  return ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword;
}

/** `Exclude<Name, "other">` holds nothing but what is passed for it. */
function isComparing({ typeName }) {
  return ["Exclude", "Extract", "NonNullable"].includes(typeName.text);
}

/** `is ? "run" : other`, `kind ?? "run"`. */
function isChoice(ts, parent, expression) {
  if (ts.isConditionalExpression(parent)) return parent.condition !== expression;
  const { BarBarToken, QuestionQuestionToken } = ts.SyntaxKind;
  const isEither = ts.isBinaryExpression(parent) && [BarBarToken, QuestionQuestionToken].includes(parent.operatorToken.kind);
  return isEither && parent.right === expression;
}

function around(ts, node) {
  let outer = node.parent;
  while (outer && !ts.isFunctionLike(outer)) outer = outer.parent;
  return outer;
}

module.exports = { declaredType, ownersWritten, writtenType };
