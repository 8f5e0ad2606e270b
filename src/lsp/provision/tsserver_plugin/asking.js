// Where a program asks an object for a member by a key that it makes as it runs (`handlers[kind]`, `this["on" + event]`,
// `Object.assign(this, options)`), and where it takes the names of all members for data (`Object.keys(options)`,
// `JSON.stringify(job)`: the object's own members, not those of objects in it). No search for references finds these.
"use strict";

const { ownersOfKeys } = require("./keys.js");
const { place } = require("./members.js");
const { handsOn, traps } = require("./proxied.js");
const { mocked } = require("./tested.js");
const { isLost, isOpen, isRequire, keysAsked } = require("./untyped.js");
const { WALKING, askedWith, isUsed, outermost, plain, usesOf } = require("./walked.js");
const { declaredType, ownersWritten } = require("./written.js");

/** Functions that take an object and a key, by what they belong to. */
const REFLECTING = new Set(["get", "set", "has", "deleteProperty", "defineProperty"]);
const DEFINING = new Set(["defineProperty"]);
/** Functions of `Object` that list the keys of one. */
const LISTING = new Set(["keys", "entries", "getOwnPropertyNames"]);
/** Functions of `JSON` that write the names of an object's members. */
const WRITING = new Set(["stringify"]);
/** Functions of `Reflect` that list the keys of an object. */
const REFLECTING_ALL = new Set(["ownKeys"]);
/** A key is followed over so many variables. */
const STEPS = 4;

class Asking {
  constructor(ts, program, isForeign) {
    this.ts = ts;
    this.isForeign = isForeign;
    this.program = program;
    this.checker = program.getTypeChecker();
    /** By file, the objects that are asked, each with the key, or with an object whose members it is given. */
    this.byFile = new Map();
    /** By file, the names of members that stand beside a value, whatever type that has. */
    this.untypedByFile = new Map();
    /** The functions of proxies that are given a key. */
    this.traps = new Set();
    /** The types that have what is found by an index signature. */
    this.indexed = new Set();
  }

  /** The places of a file where an object that has a member of the name is asked for it, if the key happens to be it. */
  *places(file, name, isFound) {
    for (const asked of this.of(file)) {
      if (!this.means(asked, name, isFound)) continue;
      const at = asked.key ?? asked.source ?? asked.object;
      const isExported = (asked.specifier ?? asked.module) !== undefined;
      yield { ...place(file, at.getStart(file)), end: place(file, at.getEnd()), isExported };
    }
  }

  /** The places of a file where a member of the name may be meant of a value that no type is known of. */
  *untyped(file, name, isFound) {
    const { ts, checker, isForeign } = this;
    this.of(file);
    for (const { open, object, literal, guarded } of this.untypedByFile.get(file)) {
      if (open.text !== name || isFound(open)) continue;
      if (guarded && !guarded.some((type) => this.hasAs(type, name, isFound) === "found")) continue;
      const isMeant = () => isOpen(ts, checker, object, name) || this.isIndexed(checker.getTypeAtLocation(plain(ts, object)));
      if (!guarded && !(literal ? isLost(ts, checker, isForeign, literal, name) : isMeant())) continue;
      const start = open.getStart(file) + (ts.isStringLiteralLike(open) ? 1 : 0);
      yield { ...place(file, start), end: place(file, start + name.length), isUntyped: true };
    }
  }

  means({ object, key, source, listing, proxy, target, specifier, module }, name, isFound) {
    if (specifier) return key.text === name && this.exports(this.module(specifier), name, isFound);
    if (module) return key.text === name && this.exports(module, name, isFound);
    if (proxy) return this.answers(proxy, target, name, isFound);
    if (key && this.isTrapped(object, key)) return false;
    if (key) return this.mayAsk(object, key, name, isFound);
    if (source) return this.mayTake(object, source, name, isFound);
    return this.has(object, name, isFound) === "found" && this.leaves(object, listing);
  }

  of(file) {
    let asked = this.byFile.get(file);
    if (!asked) {
      asked = [];
      this.untypedByFile.set(file, []);
      this.visit(file, asked, this.untypedByFile.get(file));
      this.byFile.set(file, asked);
    }
    return asked;
  }

  visit(node, asked, untyped) {
    const { ts } = this;
    untyped.push(...keysAsked(ts, node), ...this.guarded(node));
    if (ts.isObjectLiteralExpression(node)) {
      const named = node.properties.filter(({ name }) => name?.text !== undefined);
      untyped.push(...named.map(({ name }) => ({ open: name, literal: node })));
    }
    asked.push(...this.ofModules(node));
    if (ts.isElementAccessExpression(node)) {
      const key = node.argumentExpression;
      if (!ts.isStringLiteralLike(key) && !ts.isNumericLiteral(key)) asked.push({ object: node.expression, key });
    } else if (ts.isForInStatement(node)) {
      asked.push({ object: node.expression, listing: node });
    } else if (ts.isNewExpression(node)) {
      asked.push(...this.proxied(node));
    } else if (ts.isCallExpression(node) && node.arguments.length > 0) {
      asked.push(...mocked(ts, node));
      const [object, ...others] = node.arguments;
      const isAsking = this.isOf(node, "Reflect", REFLECTING) || this.isOf(node, "Object", DEFINING);
      if (isAsking && others[0] && !ts.isStringLiteralLike(others[0])) {
        asked.push({ object, key: others[0] });
      } else if (this.isOf(node, "Object", new Set(["assign"]))) {
        const sources = others.filter((one) => !ts.isObjectLiteralExpression(one) && !ts.isSpreadElement(one));
        asked.push(...sources.map((source) => ({ object, source })));
      } else if (this.lists(node) || this.isOf(node, "JSON", WRITING)) {
        asked.push({ object, listing: node });
      }
    }
    ts.forEachChild(node, (child) => this.visit(child, asked, untyped));
  }

  /** The strings by which a function tells the keys of a type: `(name: string): name is keyof Job => LIST.includes(name)`. */
  guarded(node) {
    const { ts, checker } = this;
    if (!ts.isFunctionLike(node) || !node.body || !node.type || !ts.isTypePredicateNode(node.type) || !node.type.type) return [];
    const typed = ownersOfKeys(ts, checker.getTypeFromTypeNode(node.type.type));
    const guarded = typed.length > 0 ? typed : ownersWritten(ts, checker, node.type.type);
    const found = new Set();
    const visit = (inner, isIn) => {
      if (ts.isStringLiteralLike(inner)) found.add(inner);
      const constant = isIn && ts.isIdentifier(inner) && this.constant(inner);
      if (constant) visit(constant, false);
      ts.forEachChild(inner, (child) => visit(child, isIn));
    };
    if (guarded.length > 0) visit(node.body, true);
    return [...found].map((open) => ({ open, guarded }));
  }

  /** The strings of a call by which a module is asked for what it exports: `vi.spyOn(store, "load")`. */
  ofModules(node) {
    const { ts, checker } = this;
    if (!ts.isCallExpression(node)) return [];
    const asked = [...keysAsked(ts, node)].map(({ object, open }) => {
      const symbol = ts.isIdentifier(object) && checker.getSymbolAtLocation(object);
      const declarations = (symbol && symbol.declarations) || [];
      if (declarations.some((one) => ts.isNamespaceImport(one))) return { module: checker.getAliasedSymbol(symbol), key: open };
      const specifier = declarations.map((one) => required(ts, one)).find(Boolean);
      return { module: specifier && this.module(specifier), key: open };
    });
    return asked.filter(({ module }) => module);
  }

  /** The module that a string names. */
  module(specifier) {
    const { ts, checker, program } = this;
    const file = specifier.getSourceFile();
    const imported = file.imports?.find(({ text }) => text === specifier.text);
    let module = imported && checker.getSymbolAtLocation(imported);
    if (!module) {
      const { resolvedModule } = ts.resolveModuleName(specifier.text, file.fileName, program.getCompilerOptions(), ts.sys);
      const source = resolvedModule && program.getSourceFile(resolvedModule.resolvedFileName);
      module = source && checker.getSymbolAtLocation(source);
    }
    return module;
  }

  /** Tells whether a module exports what is found by that name. */
  exports(module, name, isFound) {
    const { checker, ts } = this;
    // `module.exports = { run }` has properties.
    const all = module ? (checker.getExportsAndPropertiesOfModule ?? checker.getExportsOfModule)(module) : [];
    const exported = all.find((one) => one.name === name);
    return exported !== undefined && this.declarations(exported).some((node) => isFound(ts.getNameOfDeclaration(node)));
  }

  /** The keys that a proxy's handler is given; with the target where it only hands them on to that. */
  proxied(made) {
    const { ts, checker } = this;
    return traps(ts, checker, made).map((trap) => {
      this.traps.add(trap);
      const target = handsOn(ts, checker, trap) ? made.arguments[0] : undefined;
      return { proxy: outermost(ts, made), key: trap.parameters[1].name, target };
    });
  }

  /** Tells whether a proxy has a found member, by what it is or is expected to be, and its target has not the same. */
  answers(proxy, target, name, isFound) {
    const expected = this.checker.getContextualType(proxy);
    const isExpected = () => expected !== undefined && this.hasAs(expected, name, isFound) === "found";
    if (this.has(proxy, name, isFound) !== "found" && !isExpected()) return false;
    const handed = target ? this.has(target, name, isFound) : "open";
    return handed === "open" || handed === "other";
  }

  /** `target[key]`, where a proxy hands a key on to its target: what asks the proxy is typed as that is. */
  isTrapped(object, key) {
    const declared = (node) => this.checker.getSymbolAtLocation(plain(this.ts, node))?.valueDeclaration;
    const trap = declared(key)?.parent;
    return this.traps.has(trap) && trap.parameters[0] === declared(object) && trap.parameters[1] === declared(key);
  }

  isOf({ expression }, owner, names) {
    const { ts } = this;
    const isMember = ts.isPropertyAccessExpression(expression) && ts.isIdentifier(expression.expression);
    return isMember && expression.expression.text === owner && names.has(expression.name.text);
  }

  mayAsk(object, key, name, isFound) {
    const made = this.made(key);
    if (made.fits && !made.fits(name)) return false;
    if (made.words) {
      // A string that is renamed with what it asks for says nothing.
      const isOpen = made.words.some((word) => word.text === name && !isFound(word));
      return isOpen && this.has(object, name, isFound) === "found";
    }
    const from = made.listed;
    // What is asked for all that it has itself keeps to its own names.
    if (from && plain(this.ts, from).getText() === plain(this.ts, object).getText()) return false;
    if (from) return this.mayTake(object, from, name, isFound);
    if (ownersWritten(this.ts, this.checker, declaredType(this.ts, this.checker, made.node)).length > 0) return false;
    const isMeant = this.isKey(this.checker.getTypeAtLocation(made.node), name) || this.namesBack(object, made.node, name);
    return isMeant && this.has(object, name, isFound) === "found";
  }

  /** Tells whether an enumeration is asked by a number for the name of its member: `Color[order.color]`. */
  namesBack(object, key, name) {
    const { ts, checker } = this;
    const { symbol } = checker.getTypeAtLocation(plain(ts, object));
    const member = symbol && symbol.flags & ts.SymbolFlags.RegularEnum && symbol.exports.get(name)?.valueDeclaration;
    const value = member ? checker.getConstantValue(member) : "";
    const type = checker.getTypeAtLocation(key);
    const isIt = (one) => one.flags & ts.TypeFlags.NumberLike && (value === undefined || (one.value ?? value) === value);
    return typeof value !== "string" && (type.isUnion() ? type.types : [type]).some(isIt);
  }

  /** Tells whether one object is given the members of another, of which one is found and the other is not. */
  mayTake(object, source, name, isFound) {
    const taking = this.has(object, name, isFound);
    const giving = this.has(source, name, isFound);
    return taking === "found" ? giving === "other" || giving === "open" : taking === "other" && giving === "found";
  }

  /** Whether the type of an expression has a member of the name: one of those that are found, another, or nobody knows. */
  has(expression, name, isFound) {
    const own = plain(this.ts, expression);
    const as = (node) => this.hasAs(this.checker.getTypeAtLocation(node), name, isFound);
    const said = as(expression);
    // What is asserted of an object (`this as Record<string, unknown>`) hides what it has.
    return own === expression || said === "found" || said === "other" ? said : as(own);
  }

  hasAs(typed, name, isFound) {
    const { ts, checker } = this;
    const type = checker.getApparentType(typed);
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "open";
    const symbols = (type.isUnion() ? type.types : [type]).map((one) => checker.getPropertyOfType(one, name));
    const declared = symbols.filter(Boolean).flatMap((symbol) => this.declarations(symbol));
    if (declared.length > 0) return declared.some((node) => isFound(ts.getNameOfDeclaration(node))) ? "found" : "other";
    if (!checker.getIndexTypeOfType(type, ts.IndexKind.String)) return "none";
    return this.isIndexed(type) ? "found" : "open";
  }

  /** Tells whether a type has what is found by an index signature. */
  isIndexed(typed) {
    const type = this.checker.getApparentType(typed);
    return (type.isUnion() ? type.types : [type]).some((one) => this.indexed.has(one));
  }

  declarations(symbol) {
    const { ts, checker } = this;
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const roots = checker.getRootSymbols(own);
    return (roots.length > 0 ? roots : [own]).flatMap((root) => [
      ...(root.declarations ?? []),
      ...(symbol.flags & ts.SymbolFlags.Alias ? (symbol.declarations ?? []) : []),
    ]);
  }

  /** What a key is made of: one of some words, a member that is listed of an object, or else an expression and what it fits. */
  made(key, steps = STEPS) {
    const { ts } = this;
    const node = plain(ts, key);
    if (ts.isTemplateExpression(node)) {
      const { head, templateSpans } = node;
      return { node, fits: between(head.text, templateSpans[templateSpans.length - 1].literal.text) };
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      let first = node;
      while (ts.isBinaryExpression(first)) first = plain(ts, first.left);
      const said = (one) => (ts.isStringLiteralLike(one) ? one.text : "");
      return { node, fits: between(said(first), said(plain(ts, node.right))) };
    }
    const declared = ts.isIdentifier(node) && steps > 0 && this.checker.getSymbolAtLocation(node)?.valueDeclaration;
    return (declared && this.declared(declared, steps)) || { node };
  }

  /** What a variable or a callback's parameter is made of, if that is to be seen. */
  declared(declaration, steps) {
    const { ts } = this;
    let [variable, place] = [declaration, undefined];
    if (ts.isBindingElement(declaration) && ts.isArrayBindingPattern(declaration.parent)) {
      place = declaration.parent.elements.indexOf(declaration);
      variable = declaration.parent.parent;
    }
    const { parent } = variable;
    const loop = parent && ts.isVariableDeclarationList(parent) && parent.parent;
    if (loop && ts.isForInStatement(loop)) return { listed: loop.expression };
    const over = loop && ts.isForOfStatement(loop) ? loop.expression : this.walked(variable);
    const listed = over && !place && this.listed(plain(ts, over));
    if (listed) return { listed };
    const words = over && this.words(plain(ts, over), place);
    if (words) return { words };
    const isConstant = ts.isVariableDeclaration(variable) && parent.flags & ts.NodeFlags.Const && variable === declaration;
    return isConstant && variable.initializer ? this.made(variable.initializer, steps - 1) : undefined;
  }

  /** The list over which a callback is called with a parameter: `Object.keys(options).forEach((key) => …)`. */
  walked(parameter) {
    const { ts } = this;
    const callback = ts.isParameter(parameter) && parameter.parent;
    const call = callback && callback.parent;
    if (!call || !ts.isCallExpression(call) || call.arguments[0] !== callback) return undefined;
    const { expression } = call;
    const isPart = ts.isPropertyAccessExpression(expression) && callback.parameters[WALKING[expression.name.text]] === parameter;
    return isPart ? expression.expression : undefined;
  }

  lists(call) {
    return this.isOf(call, "Object", LISTING) || this.isOf(call, "Reflect", REFLECTING_ALL);
  }

  /** Tells whether the names of an object's members are used for more than to ask it for them, or to count them. */
  leaves(object, listing) {
    const { ts, checker } = this;
    const own = plain(ts, object).getText();
    const isOther = (use) => askedWith(ts, use)?.getText() !== own;
    const areOther = (key) => !ts.isIdentifier(key) || usesOf(ts, checker, key).some(isOther);
    if (ts.isForInStatement(listing)) {
      const { initializer } = listing;
      return !ts.isVariableDeclarationList(initializer) || areOther(initializer.declarations[0].name);
    }
    return !this.lists(listing) || isUsed(ts, checker, listing, areOther);
  }

  /** The object of whose keys a list is made. */
  listed(list, steps = STEPS) {
    const { ts } = this;
    const call = plain(ts, ts.isIdentifier(list) ? (this.constant(list) ?? list) : list);
    if (!ts.isCallExpression(call)) return call === list || steps === 0 ? undefined : this.listed(call, steps - 1);
    if (this.lists(call)) return call.arguments[0];
    // `Object.keys(options).filter(…)`
    const inner = ts.isPropertyAccessExpression(call.expression) && plain(ts, call.expression.expression);
    return inner && call.expression.name.text === "filter" ? this.listed(inner, steps - 1) : undefined;
  }

  /** What a variable that is never assigned again begins as. */
  constant(name) {
    const { ts } = this;
    const declared = this.checker.getSymbolAtLocation(name)?.valueDeclaration;
    const isConstant = declared && ts.isVariableDeclaration(declared) && declared.parent.flags & ts.NodeFlags.Const;
    return isConstant ? declared.initializer : undefined;
  }

  /** The strings of a list that says nothing else: `["get", "post"]`; of lists in it, those at one place of each. */
  words(list, place) {
    const { ts } = this;
    const array = plain(ts, ts.isIdentifier(list) ? (this.constant(list) ?? list) : list);
    if (!ts.isArrayLiteralExpression(array)) return undefined;
    const inner = (one) => (ts.isArrayLiteralExpression(one) ? one.elements[place] : undefined);
    const words = array.elements.map((one) => (place === undefined ? one : inner(plain(ts, one))));
    return words.every((one) => one && ts.isStringLiteralLike(one)) ? words : undefined;
  }

  /** Tells whether a value of a type may be the name, and no type holds it to one: `keyof Job` changes with `Job`. */
  isKey(type, name) {
    const { TypeFlags } = this.ts;
    if (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.String)) return true;
    if (ownersOfKeys(this.ts, type).length > 0) return false;
    if (type.isUnion()) return type.types.some((one) => this.isKey(one, name));
    if (type.flags & TypeFlags.TemplateLiteral) return between(type.texts[0], type.texts[type.texts.length - 1])(name);
    return type.isStringLiteral() && type.value === name;
  }
}

/** Tells of a name whether it begins and ends so, with something in between. */
function between(prefix, suffix) {
  return (name) => name.length > prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix);
}

/** The string in `const store = require("./store")`. */
function required(ts, { initializer, name }) {
  return initializer && ts.isIdentifier(name) && isRequire(ts, initializer) ? initializer.arguments[0] : undefined;
}

module.exports = { Asking };
