// Loaded into tsserver as a plugin: tells which declarations of a member are held to one name because values of one
// type are taken for values of the other. TypeScript asks no word for that (`implements`), and tsserver's rename
// follows none of it. Nothing is written, and nothing but the program that tsserver has is read.
"use strict";

const COMMAND = "lspwright.relatedMembers";
/** Types are compared this deep: a generic type can go on for ever. */
const DEPTH = 8;
/** More pairs of types than this are not compared. */
const PAIRS = 1_000_000;
/** What was found in a program, as long as tsserver keeps it: until a file changes. */
const known = new WeakMap();

function plugin({ typescript: ts }) {
  return {
    create(info) {
      answer(ts, info);
      return info.languageService;
    },
  };
}

/** Adds the request to the session, once for all of its projects. */
function answer(ts, { session, project }) {
  if (!session?.addProtocolHandler || session.lspwrightAnswers) return;
  session.lspwrightAnswers = true;
  session.addProtocolHandler(COMMAND, ({ arguments: { name, found } }) => {
    const response = relatedMembers(ts, programs(project.projectService), name, found);
    return { response, responseRequired: true };
  });
}

/** The programs of all projects that are loaded. */
function programs(service) {
  const projects = [
    ...service.configuredProjects.values(),
    ...service.inferredProjects,
    ...service.externalProjects,
  ];
  // A project whose file was deleted is kept for a while, with the texts of that time.
  const isAlive = (project) => project.languageServiceEnabled && !project.isClosed() && !project.isOrphan?.();
  const open = projects.filter(isAlive);
  return open.map((project) => project.getLanguageService(true).getProgram()).filter(Boolean);
}

/**
 * All declarations of members of that name, and which of them belong together: `relations` are pairs of indices with
 * the place that says so. Lines and offsets are 1-based, in UTF-16 units. Where all are among the `found` already,
 * nothing is compared.
 */
function relatedMembers(ts, programs, name, found = []) {
  const members = new Members(ts, name);
  const places = new Set(found.map(({ file, line, offset }) => `${file}:${line}:${offset}`));
  let isPartial = false;
  programs.forEach((program, index) => {
    const inFiles = members.find(program, index);
    const others = members.declarations.filter(({ file, line, offset }) => !places.has(`${file}:${line}:${offset}`));
    if (others.length === 0 || members.declarations.length < 2) return;
    if (!known.has(program)) known.set(program, new Flows(ts, program));
    const flows = known.get(program);
    isPartial ||= flows.isPartial;
    new Relations(ts, flows, members).all(inFiles);
  });
  return { declarations: members.declarations, relations: members.relations, isPartial };
}

/** The declarations of one name, over all programs: files are the same in each, their nodes need not be. */
class Members {
  constructor(ts, name) {
    this.ts = ts;
    this.name = name;
    this.declarations = [];
    this.relations = [];
    this.byPlace = new Map();
    this.joined = new Set();
  }

  /** Notes the declarations of a program, and returns its files that have the name. */
  find(program, project) {
    const files = program.getSourceFiles().filter((file) => file.identifiers?.has(this.name));
    for (const file of files) {
      for (const node of this.declaredIn(file)) {
        const index = this.index(program, node);
        if (index !== undefined) this.declarations[index].projects.push(project);
      }
    }
    return files;
  }

  /** The nodes that declare a member of the name: found by the text, for a library's files are large. */
  *declaredIn(file) {
    for (const name of this.namesIn(file)) {
      const { parent } = name;
      const assigned = parent?.parent && this.ts.isBinaryExpression(parent.parent) && parent.parent.left === parent;
      const node = assigned ? parent.parent : parent;
      if (this.ts.getNameOfDeclaration(node) === name) yield node;
    }
  }

  *namesIn(file) {
    const { text } = file;
    for (let at = text.indexOf(this.name); at >= 0; at = text.indexOf(this.name, at + 1)) {
      const name = innermost(this.ts, file, at);
      if (name.text === this.name) yield name;
    }
  }

  isMember(node) {
    const { ts } = this;
    return (
      ts.isClassElement(node) ||
      ts.isTypeElement(node) ||
      ts.isObjectLiteralElement(node) ||
      (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) ||
      ts.isBinaryExpression(node) ||
      ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node)
    );
  }

  /** The index of a declaration; none for what has no name of its own in a text. */
  index(program, node) {
    const { ts } = this;
    const name = ts.getNameOfDeclaration(node);
    if (!name || !this.isMember(node)) return undefined;
    const isString = ts.isStringLiteralLike(name);
    if ((isString || ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) === false || name.text !== this.name) {
      return undefined;
    }
    const file = name.getSourceFile();
    const start = name.getStart(file) + (isString ? 1 : 0);
    const key = `${file.fileName}:${start}`;
    const known = this.byPlace.get(key);
    if (known !== undefined) return known;
    const isForeign = program.isSourceFileDefaultLibrary(file) || program.isSourceFileFromExternalLibrary(file);
    const owner = node.parent?.name?.text ?? node.parent?.parent?.name?.text;
    const index = this.declarations.length;
    this.declarations.push({
      ...place(file, start),
      isForeign,
      projects: [],
      isShorthand: ts.isShorthandPropertyAssignment(node),
      owner,
    });
    this.byPlace.set(key, index);
    return index;
  }

  /** Joins all of these, for the reason that stands at a node. */
  join(indices, at) {
    const [first, ...others] = new Set(indices);
    for (const other of others) {
      const key = first < other ? `${first},${other}` : `${other},${first}`;
      if (this.joined.has(key)) continue;
      this.joined.add(key);
      const file = at.getSourceFile();
      this.relations.push({ one: first, other, at: place(file, at.getStart(file)) });
    }
  }

  /** Notes a use by which a shorthand's property can be asked for: the shorthand itself names two things. */
  use(indices, name) {
    for (const index of indices) {
      const declaration = this.declarations[index];
      if (declaration.isShorthand && !declaration.use) {
        const file = name.getSourceFile();
        declaration.use = place(file, name.getStart(file) + (this.ts.isStringLiteralLike(name) ? 1 : 0));
      }
    }
  }
}

/** The smallest node around a position. */
function innermost(ts, file, position) {
  let found = file;
  for (let next = file; next; ) {
    found = next;
    next = ts.forEachChild(found, (child) => (child.pos <= position && position < child.end ? child : undefined));
  }
  return found;
}

function place(file, position) {
  const { line, character } = file.getLineAndCharacterOfPosition(position);
  return { file: file.fileName, line: line + 1, offset: character + 1 };
}

/** Where in a program values go from one type to another: pairs of types, whatever a member is called. */
class Flows {
  constructor(ts, program) {
    this.ts = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.seen = new Set();
    /** Pairs of types that have members, each with the node that takes the one for the other. */
    this.pairs = [];
    this.open = [];
    for (const file of program.getSourceFiles()) {
      if (!this.isForeign(file)) this.visit(file);
    }
    // What lies near is compared first: a pair that is met again is not gone into twice.
    for (let depth = 0; depth <= DEPTH && this.open.length > 0; depth += 1) {
      const open = this.open;
      this.open = [];
      for (const [one, other, at] of open) this.compare(one, other, at);
    }
    this.isPartial = this.seen.size > PAIRS;
    this.seen = this.open = undefined;
  }

  isForeign(file) {
    return this.program.isSourceFileDefaultLibrary(file) || this.program.isSourceFileFromExternalLibrary(file);
  }

  visit(node) {
    const { ts } = this;
    if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) {
      this.heritage(node);
    } else if (ts.isCallLikeExpression(node)) {
      this.call(node);
    } else if (node.typeArguments?.length) {
      this.typeArguments(node);
    } else if (ts.isReturnStatement(node) && node.expression) {
      this.returned(node);
    }
    if (ts.isExpression(node) || ts.isJsxAttributes(node)) this.expression(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  /** A value where a type is expected, or where several become one. */
  expression(node) {
    const { ts, checker } = this;
    if (isNameOnly(ts, node)) return;
    const expected = checker.getContextualType(node);
    if (expected && this.isOfInterest(expected)) this.flow(node, checker.getTypeAtLocation(node), expected);
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
      let inner = node.expression;
      while (ts.isAsExpression(inner) || ts.isTypeAssertionExpression(inner) || ts.isParenthesizedExpression(inner)) {
        inner = inner.expression;
      }
      this.flows([inner], checker.getTypeAtLocation(node));
    }
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
    }
  }

  /** A class answers for all that it extends or implements with all that it has, inherited members too. */
  heritage(node) {
    if (!node.heritageClauses) return;
    const own = this.checker.getTypeAtLocation(node);
    for (const { types } of node.heritageClauses) {
      for (const type of types) this.flow(type, own, this.checker.getTypeAtLocation(type));
    }
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
    if (one === other || !this.isOfInterest(one) || !this.isOfInterest(other)) return;
    const key = `${one.id},${other.id}`;
    if (this.seen.has(key) || this.seen.size > PAIRS) return;
    this.seen.add(key);
    this.open.push([one, other, at]);
  }

  compare(one, other, at) {
    if (one.isUnion() || other.isUnion()) return this.unions(one, other, at);
    const [left, right] = [this.constrained(one), this.constrained(other)];
    if (!left || !right) return;
    if (left !== one || right !== other) return this.flow(at, left, right);
    if (this.sameGeneric(one, other, at)) return;
    this.pairs.push([one, other, at]);
    this.properties(one, other, at);
    this.signatures(one, other, at);
    this.indices(one, other, at);
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
    if (!one.target || one.target !== other.target) return false;
    const [ones, others] = [one, other].map((type) => this.checker.getTypeArguments(type));
    ones.forEach((part, index) => others[index] && this.flow(at, part, others[index]));
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
    return this.checker.getTypeOfSymbolAtLocation(symbol, at);
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

/** Which declarations of one name a program's flows join. */
class Relations {
  constructor(ts, flows, members) {
    this.ts = ts;
    this.flows = flows;
    this.checker = flows.checker;
    this.members = members;
  }

  all(files) {
    const { name } = this.members;
    for (const [one, other, at] of this.flows.pairs) {
      const right = this.flows.own(other, name);
      const left = right && this.flows.own(one, name);
      if (!left || left === right) continue;
      const [ones, others] = [this.declarationsOf(left), this.declarationsOf(right)];
      if (ones.length > 0 && others.length > 0) this.members.join([...ones, ...others], at);
    }
    for (const file of files) {
      if (this.flows.isForeign(file)) continue;
      for (const place of this.members.namesIn(file)) this.named(place);
    }
  }

  /** A use of a union's or an intersection's member means the declarations of all of its parts. */
  named(name) {
    const { ts, checker, members } = this;
    const { parent } = name;
    let symbol;
    if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === name) {
      if (!ts.isObjectBindingPattern(parent.parent)) return;
      symbol = checker.getPropertyOfType(checker.getTypeAtLocation(parent.parent), members.name);
    } else if (
      (ts.isPropertyAccessExpression(parent) && parent.name === name) ||
      (ts.isElementAccessExpression(parent) && parent.argumentExpression === name)
    ) {
      symbol = checker.getSymbolAtLocation(name);
    } else if (parent.parent && ts.isIndexedAccessTypeNode(parent.parent) && parent.parent.indexType === parent) {
      symbol = checker.getPropertyOfType(checker.getTypeFromTypeNode(parent.parent.objectType), members.name);
    }
    if (!symbol) return;
    const indices = this.declarationsOf(symbol);
    members.join(indices, name);
    members.use(indices, name);
  }

  declarationsOf(symbol) {
    const roots = this.checker.getRootSymbols(symbol);
    const nodes = (roots.length > 0 ? roots : [symbol]).flatMap((root) => root.declarations ?? []);
    const indices = nodes.map((node) => this.members.index(this.flows.program, node));
    return [...new Set(indices.filter((index) => index !== undefined))];
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

plugin.relatedMembers = relatedMembers;
module.exports = plugin;
