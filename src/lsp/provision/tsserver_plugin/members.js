// The declarations of one name, and what joins them.
"use strict";

/** The declarations of one name, over all programs: files are the same in each, their nodes need not be. */
class Members {
  constructor(ts, name) {
    this.ts = ts;
    this.name = name;
    this.declarations = [];
    this.relations = [];
    /** Strings and uses that spell the name, and that no search for references finds. */
    this.spelled = [];
    /** By index: what is declared more than once (`get` and `set`, overloads) is one symbol. */
    this.symbols = [];
    this.byPlace = new Map();
    this.joined = new Set();
  }

  /** Notes the declarations of a program. */
  find(program, project) {
    for (const file of program.getSourceFiles().filter((one) => one.identifiers?.has(this.name))) {
      for (const node of this.declaredIn(file)) {
        const index = this.index(program, node);
        if (index !== undefined) this.declarations[index].projects.push(project);
      }
    }
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
      ts.isEnumMember(node) ||
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
    // `this.name = name` declares something in JavaScript alone.
    const symbol = node.symbol ?? node.left?.symbol;
    if (!symbol) return undefined;
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
    this.symbols.push(symbol);
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

  /** Takes into a family all that hangs together with it. */
  close(family) {
    for (let size = -1; size < family.size; ) {
      size = family.size;
      for (const { one, other } of this.relations) {
        if (family.has(one) || family.has(other)) family.add(one).add(other);
      }
      const symbols = new Set([...family].map((index) => this.symbols[index]));
      this.symbols.forEach((symbol, index) => symbols.has(symbol) && family.add(index));
    }
  }

  /** Notes a place that has to say what these declarations are called. */
  spell(indices, name, isShorthand = false) {
    if (indices.length === 0) return;
    const file = name.getSourceFile();
    const start = name.getStart(file) + (this.ts.isStringLiteralLike(name) ? 1 : 0);
    this.spelled.push({ of: indices[0], isShorthand, ...place(file, start) });
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

module.exports = { Members, innermost, place };
