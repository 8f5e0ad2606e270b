// Strings that spell the key of a type: `Pick<Job, "run">`, `const key: keyof Job = "run"`, `"run" in job`.
"use strict";

const { innermost } = require("./members.js");
const { replaced } = require("./tested.js");
const { askedWith, outermost, usesOf, walkers } = require("./walked.js");
const { ownersWritten, writtenType } = require("./written.js");

/** What a library's type takes keys out of, by the place of the type, where its parameter does not say `keyof`. */
const TAKES_KEYS_OF = { Omit: 0 };
/** Functions of the language that take an object and one of its keys, by what they belong to. */
const TAKES_KEY = {
  Object: new Set(["getOwnPropertyDescriptor", "hasOwn", "defineProperty"]),
  Reflect: new Set(["get", "set", "has", "deleteProperty", "getOwnPropertyDescriptor", "defineProperty"]),
};
/** Methods that every object has and that take one of its keys. */
const TAKES_OWN_KEY = new Set(["hasOwnProperty", "propertyIsEnumerable"]);
/** What compares the members of two unions. */
const COMPARES = new Set(["Extract", "Exclude"]);

class Keys {
  constructor(ts, relations) {
    this.ts = ts;
    this.relations = relations;
    this.checker = relations.checker;
    this.members = relations.members;
  }

  all(files) {
    for (const file of files) {
      for (const literal of this.spelledIn(file)) {
        const owners = this.ownersOf(literal);
        const symbols = owners.map((type) => this.property(type)).filter(Boolean);
        const indices = symbols.flatMap((symbol) => this.relations.declarationsOf(symbol));
        this.members.join(indices, literal);
        this.members.spell(indices, literal);
      }
    }
  }

  property(type) {
    return this.checker.getPropertyOfType(this.checker.getApparentType(type), this.members.name);
  }

  *spelledIn(file) {
    const { name } = this.members;
    const { text } = file;
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      if (!"\"'`".includes(text[at - 1]) || text[at - 1] !== text[at + name.length]) continue;
      const literal = innermost(this.ts, file, at);
      if (this.ts.isStringLiteralLike(literal) && literal.text === name) yield literal;
    }
  }

  /** The types of whose keys a string is one. */
  ownersOf(literal) {
    const { ts, checker } = this;
    const owners = this.ownersTyped(literal);
    if (owners.length > 0 || !ts.isExpression(literal) || ts.isLiteralTypeNode(literal.parent)) return owners;
    return ownersWritten(ts, checker, writtenType(ts, checker, literal));
  }

  ownersTyped(literal) {
    const { ts } = this;
    const { parent } = literal;
    if (ts.isLiteralTypeNode(parent)) return this.ownersInTypes(parent);
    if (ts.isElementAccessExpression(parent) || ts.isPropertyName(literal) && parent.name === literal) return [];
    if (ts.isBinaryExpression(parent)) {
      const isLeft = parent.left === literal;
      const other = isLeft ? parent.right : parent.left;
      const type = this.checker.getTypeAtLocation(other);
      if (parent.operatorToken.kind === ts.SyntaxKind.InKeyword) return isLeft ? alternatives(type) : [];
      if (isComparison(ts, parent.operatorToken.kind)) return ownersOfKeys(ts, type);
    }
    if (ts.isCaseClause(parent)) {
      return ownersOfKeys(ts, this.checker.getTypeAtLocation(parent.parent.parent.expression));
    }
    if (ts.isArrayLiteralExpression(parent)) {
      const owners = this.ownersWalked(parent, literal);
      if (owners.length > 0) return owners;
    }
    const expected = ts.isExpression(literal) && this.checker.getContextualType(literal);
    const owners = ts.isCallOrNewExpression(parent) ? this.ownersInCall(parent, literal) : [];
    return owners.length === 0 && expected ? ownersOfKeys(ts, expected) : owners;
  }

  /** `get<T, K extends keyof T>(of: T, key: K)`: what is passed for `T`. */
  ownersInCall(call, literal) {
    const { ts, checker } = this;
    const asked = askedInCall(ts, call, literal);
    if (asked) return alternatives(checker.getTypeAtLocation(asked));
    const resolved = checker.getResolvedSignature(call);
    const declaration = resolved?.getDeclaration?.();
    const declared = declaration && checker.getSignatureFromDeclaration(declaration);
    const position = call.arguments?.indexOf(literal) ?? -1;
    const parameter = declared?.parameters[Math.min(position, declared.parameters.length - 1)];
    if (position < 0 || !parameter) return [];
    const typeOf = (symbol) => checker.getTypeOfSymbolAtLocation(symbol, call);
    const keyed = ownersOfKeys(ts, typeOf(parameter));
    return keyed.flatMap((owner) => {
      if (!owner.isTypeParameter()) return [owner];
      const index = declared.parameters.findIndex((one) => typeOf(one) === owner);
      return index < 0 || !resolved.parameters[index] ? [] : [typeOf(resolved.parameters[index])];
    });
  }

  /** The types that are asked for each string of a list: `for (const key of ["run", "stop"]) job[key]()`. */
  ownersWalked(list, literal) {
    const { ts, checker } = this;
    const around = outermost(ts, list).parent;
    const isInner = ts.isArrayLiteralExpression(around);
    const names = isInner ? walkers(ts, checker, around, list.elements.indexOf(literal)) : walkers(ts, checker, list);
    const uses = [...names].flatMap((key) => usesOf(ts, checker, key));
    const objects = uses.map((use) => askedWith(ts, use) ?? definedOn(ts, use)).filter(Boolean);
    const types = objects.flatMap((object) => alternatives(checker.getTypeAtLocation(object)));
    // The strings are keys of something else, too, of which nobody knows how it is called.
    return types.every((type) => this.property(type)) ? types : [];
  }

  ownersInTypes(literal) {
    const { ts, checker } = this;
    let [node, { parent }] = [literal, literal];
    while (ts.isUnionTypeNode(parent) || ts.isParenthesizedTypeNode(parent)) [node, parent] = [parent, parent.parent];
    const typeOf = (of) => checker.getTypeFromTypeNode(of);
    if (ts.isIndexedAccessTypeNode(parent) && parent.indexType === node) return [typeOf(parent.objectType)];
    if (ts.isConditionalTypeNode(parent) && parent.extendsType === node) return this.ownersSaid(parent.checkType);
    if (ts.isTypeParameterDeclaration(parent) && ts.isMappedTypeNode(parent.parent)) return this.ownersInMapped(parent);
    if (parent.typeArguments?.includes(node)) return this.ownersInArguments(parent, parent.typeArguments.indexOf(node));
    return [];
  }

  ownersSaid(node) {
    const { ts, checker } = this;
    const owners = ownersOfKeys(ts, checker.getTypeFromTypeNode(node));
    return owners.length > 0 ? owners : ownersWritten(ts, checker, node);
  }

  /** `{ [K in "run"]: Job[K] }`. */
  ownersInMapped({ name, parent: { type } }) {
    const { ts, checker } = this;
    if (!type || !ts.isIndexedAccessTypeNode(type) || type.indexType.getText() !== name.text) return [];
    return [checker.getTypeFromTypeNode(type.objectType)];
  }

  ownersInArguments(node, position) {
    const { ts, checker } = this;
    const typeOf = (of) => checker.getTypeFromTypeNode(of);
    const named = node.typeName ?? node.expression ?? node.exprName ?? node.tagName ?? node.tag;
    let symbol = named && checker.getSymbolAtLocation(named);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const { typeArguments } = node;
    if (COMPARES.has(symbol?.name)) return this.ownersSaid(typeArguments[1 - position] ?? typeArguments[0]);
    const taken = typeArguments[TAKES_KEYS_OF[symbol?.name]];
    if (taken && position > 0) return [typeOf(taken)];
    return (symbol?.declarations ?? []).flatMap((declaration) => {
      const parameters = declaration.typeParameters ?? declaration.initializer?.typeParameters ?? [];
      const constraint = parameters[position]?.constraint;
      const keyed = constraint ? this.ownersSaid(constraint) : [];
      return keyed.flatMap((owner) => {
        if (!owner.isTypeParameter()) return [owner];
        const index = parameters.findIndex((one) => checker.getTypeAtLocation(one) === owner);
        return typeArguments[index] ? [typeOf(typeArguments[index])] : [];
      });
    });
  }
}

/** The types of which one is the keys: `Job` for `keyof Job`, as long as the compiler remembers it. */
function ownersOfKeys(ts, type, depth = 0) {
  if (!type || depth > 4) return [];
  if (type.flags & ts.TypeFlags.Index) return [type.type];
  const inner = [];
  if (type.flags & ts.TypeFlags.UnionOrIntersection) inner.push(...(type.origin ? [type.origin] : type.types));
  if (type.flags & ts.TypeFlags.TypeParameter) inner.push(...declaredConstraints(type));
  if (type.flags & ts.TypeFlags.Conditional) inner.push(type.checkType);
  if (type.flags & ts.TypeFlags.Substitution) inner.push(type.baseType);
  // `{ [K in keyof T]: … ? K : never }[keyof T]`
  const isPicked = type.flags & ts.TypeFlags.IndexedAccess && type.objectType.objectFlags & ts.ObjectFlags.Mapped;
  if (isPicked) inner.push(type.indexType);
  const owners = inner.flatMap((one) => ownersOfKeys(ts, one, depth + 1));
  return [...new Set(owners)];
}

/** What a type parameter is said to extend: its constraint without type parameters in it is another question. */
function declaredConstraints({ symbol, checker }) {
  const nodes = (symbol?.declarations ?? []).map((node) => node.constraint).filter(Boolean);
  return nodes.map((node) => checker.getTypeFromTypeNode(node));
}

/** What a value may be. */
function alternatives(type) {
  return type.isUnion() ? type.types : [type];
}

function isComparison(ts, kind) {
  const { SyntaxKind } = ts;
  return [
    SyntaxKind.EqualsEqualsToken,
    SyntaxKind.EqualsEqualsEqualsToken,
    SyntaxKind.ExclamationEqualsToken,
    SyntaxKind.ExclamationEqualsEqualsToken,
  ].includes(kind);
}

/** The object of which a function of the language takes the key (`Reflect.get(job, "run")`), or one that tests know. */
function askedInCall(ts, call, key) {
  const { expression, arguments: given } = call;
  const object = replaced(ts, call, key);
  if (object) return object;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { expression: owner, name } = expression;
  const isOfLanguage = ts.isIdentifier(owner) && TAKES_KEY[owner.text]?.has(name.text);
  const isBorrowed = name.text === "call" && ts.isPropertyAccessExpression(owner) && TAKES_OWN_KEY.has(owner.name.text);
  if ((isOfLanguage || isBorrowed) && given?.[1] === key) return given[0];
  return TAKES_OWN_KEY.has(name.text) && given?.[0] === key ? owner : undefined;
}

/** The object that is passed to a function of the language with a key: `job` in `Object.defineProperty(job, key, { get })`. */
function definedOn(ts, key) {
  const whole = outermost(ts, key);
  return ts.isCallExpression(whole.parent) ? askedInCall(ts, whole.parent, whole) : undefined;
}

module.exports = { askedInCall, Keys, ownersOfKeys };
