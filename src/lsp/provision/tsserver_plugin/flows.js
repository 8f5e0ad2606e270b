// Where in a program values go from one type to another: pairs of types, whatever a member is called.
"use strict";

const { compared } = require("./tested.js");

/** Types are compared this deep: a generic type can go on for ever. */
const DEPTH = 8;
/** Two declarations are gone into so often within themselves: the compiler, too, takes types that go on so for alike. */
const NESTED = 2;
/** More uses of two generic declarations than this are not gone into: each makes new ones. */
const USES = 48;
/** More pairs of types than this are not compared for one name. */
const PAIRS = 1_000_000;

/** What is taken for what, file by file: noted once, as long as the program stands. */
class Flows {
  constructor(ts, program) {
    this.ts = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    /** By file, pairs of types, each with the node that takes the one for the other. */
    this.byFile = new Map();
    /** By a pair of types, those that are compared with it: of its properties, parameters, results. */
    this.within = new Map();
    /** Of symbols. */
    this.numbers = new Map();
    this.found = [];
  }

  /** All pairs of types that have members and that these files, or what else is given, take for one another. */
  *pairs(files, others = []) {
    const [seen, uses] = [new Set(), new Map()];
    const first = [...files].flatMap((file) => this.of(file)).concat(others);
    let open = first.map((pair) => ({ pair, around: [] }));
    // What lies near is compared first: a pair that is met again is not gone into twice.
    for (let depth = 0; depth <= DEPTH && open.length > 0; depth += 1) {
      const next = [];
      for (const { pair, around } of open) {
        const [one, other, at] = pair;
        const key = `${one.id},${other.id}`;
        if (seen.has(key)) continue;
        if (seen.size > PAIRS) return (this.isPartial = true);
        seen.add(key);
        const kind = this.kind(one, other);
        if (kind !== undefined && !this.goesInto(kind, around, uses)) {
          yield pair;
          continue;
        }
        const { haveMembers, parts } = this.comparison(key, one, other, at);
        if (haveMembers) yield pair;
        const inner = kind === undefined ? around : [...around, kind];
        for (const [left, right] of parts) next.push({ pair: [left, right, at], around: inner });
      }
      open = next;
    }
  }

  /** Tells whether two declarations are gone into once more. */
  goesInto(kind, around, uses) {
    if (around.filter((outer) => outer === kind).length >= NESTED) return false;
    const count = uses.get(kind) ?? 0;
    if (count >= USES) {
      this.isPartial = true;
      return false;
    }
    uses.set(kind, count + 1);
    return true;
  }

  /** What two types are uses of, where they are of two declarations, which may be made for ever. */
  kind(one, other) {
    const isSame = one.symbol === other.symbol || (one.target !== undefined && one.target === other.target);
    const { Instantiable, Union } = this.ts.TypeFlags;
    if (isSame || !one.symbol || !other.symbol || (one.flags | other.flags) & (Instantiable | Union)) return undefined;
    return `${this.number(one.symbol)},${this.number(other.symbol)}`;
  }

  number(symbol) {
    if (!this.numbers.has(symbol)) this.numbers.set(symbol, this.numbers.size);
    return this.numbers.get(symbol);
  }

  /** The pairs that a file takes for one another itself. */
  of(file) {
    let flows = this.byFile.get(file);
    if (!flows) {
      this.found = [];
      this.visit(file);
      const first = new Map();
      for (const [one, other, at] of this.found) {
        const key = `${one.id},${other.id}`;
        if (!first.has(key)) first.set(key, [one, other, at]);
      }
      flows = [...first.values()];
      this.byFile.set(file, flows);
    }
    return flows;
  }

  comparison(key, one, other, at) {
    let comparison = this.within.get(key);
    if (!comparison) {
      const parts = (this.found = []);
      comparison = { haveMembers: this.compare(one, other, at), parts };
      this.within.set(key, comparison);
    }
    return comparison;
  }

  isForeign(file) {
    return this.program.isSourceFileDefaultLibrary(file) || this.program.isSourceFileFromExternalLibrary(file);
  }

  visit(node) {
    const { ts } = this;
    if (ts.isLiteralExpression(node) && !ts.isRegularExpressionLiteral(node)) return;
    if (ts.isFunctionLike(node) && node.body) this.overloads(node);
    if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) {
      this.heritage(node);
    } else if (ts.isCallLikeExpression(node)) {
      this.call(node);
      this.tested(node);
    } else if (node.typeArguments?.length) {
      this.typeArguments(node);
    } else if (ts.isConditionalTypeNode(node)) {
      this.conditional(node);
    } else if (ts.isReturnStatement(node) && node.expression) {
      this.returned(node);
    } else if (ts.isComputedPropertyName(node)) {
      this.iterated(node);
    } else if (ts.isAwaitExpression(node)) {
      this.protocol(node, "PromiseLike", this.checker.getTypeAtLocation(node.expression));
    }
    if (ts.isExpression(node) || ts.isJsxAttributes(node)) this.expression(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  /** A value where a type is expected, or where several become one. */
  expression(node) {
    const { ts, checker } = this;
    if (isNameOnly(ts, node)) return;
    const expected = checker.getContextualType(node);
    if (expected && this.isOfInterest(expected)) {
      const type = checker.getTypeAtLocation(node);
      this.flow(node, type, expected);
      if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Never)) this.flows(this.hidden(node), expected);
    }
    if (ts.isArrayLiteralExpression(node)) {
      const element = checker.getIndexTypeOfType(checker.getTypeAtLocation(node), ts.IndexKind.Number);
      const elements = node.elements.filter((one) => !ts.isSpreadElement(one));
      if (element && this.isOfInterest(element)) this.flows(elements, element);
    } else if (ts.isConditionalExpression(node)) {
      this.flows([node.whenTrue, node.whenFalse], checker.getTypeAtLocation(node));
    } else if (ts.isBinaryExpression(node) && this.chooses(node.operatorToken.kind)) {
      this.flows([node.left, node.right], checker.getTypeAtLocation(node));
    } else if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) {
      // What is asserted twice (`as unknown as Job`) is still the one value.
      this.flows([this.bare(node.expression)], checker.getTypeAtLocation(node));
    }
  }

  /** The value without what is asserted of it. */
  bare(node) {
    const { ts } = this;
    let inner = node;
    while (ts.isAsExpression(inner) || ts.isTypeAssertionExpression(inner) || ts.isParenthesizedExpression(inner)) {
      inner = inner.expression;
    }
    return inner;
  }

  /** What a value that is called `any` is made of: `mock as any`, and the start of `const mock: any = made()`. */
  hidden(node) {
    const { ts, checker } = this;
    let inner = this.bare(node);
    for (let steps = 0; steps < NESTED && ts.isIdentifier(inner); steps += 1) {
      const declaration = checker.getSymbolAtLocation(inner)?.valueDeclaration;
      const isOpen = declaration && ts.isVariableDeclaration(declaration) && declaration.initializer;
      if (!isOpen || !(checker.getTypeAtLocation(inner).flags & ts.TypeFlags.Any)) break;
      inner = this.bare(declaration.initializer);
    }
    return inner === node ? [] : [inner];
  }

  chooses(operator) {
    const { SyntaxKind } = this.ts;
    return operator === SyntaxKind.BarBarToken || operator === SyntaxKind.QuestionQuestionToken;
  }

  returned(node) {
    const { ts, checker } = this;
    const owner = ts.findAncestor(node, (it) => ts.isFunctionLike(it));
    const signature = owner && checker.getSignatureFromDeclaration(owner);
    if (!signature) return;
    const whole = checker.getReturnTypeOfSignature(signature);
    this.flows([node.expression], whole);
    const awaited = checker.getAwaitedType?.(whole);
    if (awaited && awaited !== whole) this.flows([node.expression], awaited);
  }

  /** What a call infers its type parameters from must keep to what they are declared to extend. */
  call(node) {
    const { ts, checker } = this;
    if (node.typeArguments?.length) this.typeArguments(node);
    if (!node.arguments?.length) return;
    const declaration = checker.getResolvedSignature(node)?.getDeclaration?.();
    const declared = declaration && checker.getSignatureFromDeclaration(declaration);
    if (!declared?.typeParameters?.length && !(declaration && ts.isConstructorDeclaration(declaration))) return;
    node.arguments.forEach((argument, index) => {
      const parameter = declared.parameters[Math.min(index, declared.parameters.length - 1)];
      if (!parameter || ts.isSpreadElement(argument)) return;
      let type = checker.getTypeOfSymbolAtLocation(parameter, node);
      const { valueDeclaration } = parameter;
      if (valueDeclaration && ts.isParameter(valueDeclaration) && valueDeclaration.dotDotDotToken) {
        type = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
      }
      this.flows([argument], type);
    });
  }

  /** A test compares members of any type: `expect(job).toEqual({ name: "a" })`. */
  tested(node) {
    const { checker } = this;
    for (const { given, actual, index } of compared(this.ts, node)) {
      const type = checker.getTypeAtLocation(actual);
      const whole = checker.getAwaitedType?.(type) ?? type;
      if (index === undefined) {
        this.flows([given], whole);
        continue;
      }
      const parameter = checker.getSignaturesOfType(whole, this.ts.SignatureKind.Call)[0]?.parameters[index];
      if (parameter) this.flows([given], this.typeOf(parameter, node));
    }
  }

  typeArguments(node) {
    const { ts, checker } = this;
    const named = node.typeName ?? node.expression ?? node.exprName ?? node.tagName ?? node.tag;
    let symbol = named && checker.getSymbolAtLocation(named);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    for (const declaration of symbol?.declarations ?? []) {
      const parameters = declaration.typeParameters ?? declaration.initializer?.typeParameters ?? [];
      parameters.forEach(({ constraint }, index) => {
        const argument = node.typeArguments[index];
        if (!constraint || !argument) return;
        this.flow(argument, checker.getTypeFromTypeNode(argument), checker.getTypeFromTypeNode(constraint));
      });
      if (declaration.type && ts.isConditionalTypeNode(declaration.type)) {
        const index = (part) => parameters.findIndex(({ name }) => name.text === part.typeName?.text);
        this.conditional(declaration.type, node, (part) => node.typeArguments[index(part)] ?? part);
      }
    }
  }

  /** `T extends { radius: number } ? …` compares the two, and so does `Extract<Shape, { radius: number }>`. */
  conditional({ checkType, extendsType }, at = checkType, given = (part) => part) {
    const [one, other] = [checkType, extendsType].map((part) => this.checker.getTypeFromTypeNode(given(part)));
    this.flow(at, one, other);
  }

  /** A class answers for all that it extends or implements with all that it has, inherited members too. */
  heritage(node) {
    if (!node.heritageClauses) return;
    const own = this.checker.getTypeAtLocation(node);
    for (const { types } of node.heritageClauses) {
      for (const type of types) this.flow(type, own, this.checker.getTypeAtLocation(type));
    }
  }

  /** What a function is passed by its overloads is what it takes itself: the compiler compares the two loosely. */
  overloads(node) {
    const { checker } = this;
    const others = (node.symbol?.declarations ?? []).filter((one) => one.kind === node.kind && !one.body);
    const own = others.length > 0 && checker.getSignatureFromDeclaration(node);
    for (const other of others) this.signature(checker.getSignatureFromDeclaration(other), own, other);
  }

  /** What `[Symbol.iterator]()` returns is asked by the language for its `next`. */
  iterated({ expression, parent }) {
    const { ts, checker } = this;
    if (!ts.isPropertyAccessExpression(expression) || expression.expression.getText() !== "Symbol") return;
    const name = { iterator: "Iterator", asyncIterator: "AsyncIterator" }[expression.name.text];
    const signature = name && ts.isFunctionLike(parent) && checker.getSignatureFromDeclaration(parent);
    if (signature) this.protocol(parent.name, name, checker.getReturnTypeOfSignature(signature));
  }

  /** Takes a value for what a library calls so: the language itself does. */
  protocol(at, name, type) {
    const { ts, checker } = this;
    const symbol = this.isOfInterest(type) && checker.resolveName?.(name, undefined, ts.SymbolFlags.Type, false);
    if (symbol) this.flow(at, type, checker.getDeclaredTypeOfSymbol(symbol));
  }

  flows(nodes, to) {
    if (!this.isOfInterest(to)) return;
    for (const node of nodes) this.flow(node, this.checker.getTypeAtLocation(node), to);
  }

  isOfInterest(type) {
    const { TypeFlags } = this.ts;
    const holders = TypeFlags.Object | TypeFlags.UnionOrIntersection | TypeFlags.Instantiable;
    return (type.flags & holders) !== 0;
  }

  /** Notes two types to be compared: both ways are one. */
  flow(at, one, other) {
    if (one !== other && this.isOfInterest(one) && this.isOfInterest(other)) this.found.push([one, other, at]);
  }

  /** Notes what is to be compared of two types, and tells whether they are such as have members themselves. */
  compare(one, other, at) {
    if (one.isUnion() || other.isUnion()) return this.unions(one, other, at);
    const [left, right] = [this.constrained(one), this.constrained(other)];
    if (!left || !right) return false;
    if (left !== one || right !== other) return this.flow(at, left, right);
    if (this.sameGeneric(one, other, at) || this.lists(one, other, at)) return false;
    this.properties(one, other, at);
    this.signatures(one, other, at);
    this.indices(one, other, at);
    return true;
  }

  /** What is known of a type parameter, and of a type that hangs on one. */
  constrained(type) {
    return type.flags & this.ts.TypeFlags.Instantiable ? this.checker.getBaseConstraintOfType(type) : type;
  }

  /** Each part of the one with those parts of the other that it can be taken for. */
  unions(one, other, at) {
    const [ones, others] = [parts(one), parts(other)];
    const [inOne, inOther] = [new Set(ones), new Set(others)];
    const left = ones.filter((part) => !inOther.has(part) && this.isOfInterest(part));
    const right = others.filter((part) => this.isOfInterest(part));
    for (const part of left) {
      let fitting = right.filter((it) => this.fits(part, it));
      if (fitting.length === 0) fitting = right.filter((it) => !inOne.has(it) && this.fits(it, part));
      if (fitting.length === 0 && ones.length === 1) fitting = right;
      for (const it of fitting) this.flow(at, part, it);
    }
  }

  fits(one, other) {
    return this.checker.isTypeAssignableTo?.(one, other) ?? true;
  }

  /** Two uses of one generic type differ in what they are given, and in nothing else. */
  sameGeneric(one, other, at) {
    const isAlias = one.aliasSymbol !== undefined && one.aliasSymbol === other.aliasSymbol;
    if (!isAlias && (!one.target || one.target !== other.target)) return false;
    // An alias's type and a mapped one (`Readonly<Job>`) have a target, too, but its arguments are the alias's.
    const given = (type) => (isAlias ? type.aliasTypeArguments : this.checker.getTypeArguments(type)) ?? [];
    const [ones, others] = [given(one), given(other)];
    ones.forEach((part, index) => others[index] && this.flow(at, part, others[index]));
    return true;
  }

  /** Two lists, of whatever kind and length, differ in what they hold: their methods say so at a greater length. */
  lists(one, other, at) {
    const { checker, ts } = this;
    const areLists = [one, other].every((type) => checker.isArrayType?.(type) || checker.isTupleType?.(type));
    if (!areLists) return false;
    const [held, expected] = [one, other].map((type) => checker.getIndexTypeOfType(type, ts.IndexKind.Number));
    if (held && expected) this.flow(at, held, expected);
    return true;
  }

  properties(one, other, at) {
    for (const property of this.checker.getPropertiesOfType(other)) {
      const same = this.own(one, property.escapedName);
      if (same && same !== property) this.flow(at, this.typeOf(same, at), this.typeOf(property, at));
    }
  }

  /** The property of a type, if it is not merely that of every object or function. */
  own(type, name) {
    const property = this.checker.getPropertyOfType(type, name);
    const holder = property?.parent?.escapedName;
    const isEverywhere = holder === "Object" || holder === "Function" || holder === "CallableFunction";
    return isEverywhere && type.symbol !== property.parent ? undefined : property;
  }

  typeOf(symbol, at) {
    return this.checker.getTypeOfSymbol?.(symbol) ?? this.checker.getTypeOfSymbolAtLocation(symbol, at);
  }

  signatures(one, other, at) {
    for (const kind of [this.ts.SignatureKind.Call, this.ts.SignatureKind.Construct]) {
      const [ones, others] = [one, other].map((type) => this.checker.getSignaturesOfType(type, kind));
      for (const left of ones.slice(0, 4)) {
        for (const right of others.slice(0, 4)) this.signature(left, right, at);
      }
    }
  }

  signature(one, other, at) {
    const { checker } = this;
    one.parameters.forEach((parameter, index) => {
      const same = other.parameters[index];
      if (same && same !== parameter) this.flow(at, this.typeOf(parameter, at), this.typeOf(same, at));
    });
    this.flow(at, checker.getReturnTypeOfSignature(one), checker.getReturnTypeOfSignature(other));
  }

  /** Whatever an object holds is taken out by an index. */
  indices(one, other, at) {
    const { checker, ts } = this;
    const held = checker.getIndexTypeOfType(other, ts.IndexKind.String);
    if (!held || !this.isOfInterest(held)) return;
    const own = checker.getIndexTypeOfType(one, ts.IndexKind.String);
    if (own) this.flow(at, own, held);
    for (const property of checker.getPropertiesOfType(one)) this.flow(at, this.typeOf(property, at), held);
  }
}

function parts(type) {
  return type.isUnion() ? type.types : [type];
}

/** A name that is no expression of its own, though its node could be one. */
function isNameOnly(ts, node) {
  const { parent } = node;
  if (!ts.isIdentifier(node)) return false;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (parent.name === node && !ts.isShorthandPropertyAssignment(parent)) ||
    parent.propertyName === node ||
    ts.isTypeNode(parent) ||
    ts.isQualifiedName(parent)
  );
}

module.exports = { Flows };
