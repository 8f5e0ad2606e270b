// Loaded into tsserver as a plugin: tells which declarations of a member are held to one name because values of one
// type are taken for values of the other, and where objects are asked for members by keys that a program makes as it
// runs. TypeScript asks no word for the one (`implements`) and no type for the other, and tsserver's rename follows
// neither. Nothing is written, and nothing but the program that tsserver has is read.
"use strict";

const { Asking } = require("./asking.js");
const { Flows } = require("./flows.js");
const { indexedTypes } = require("./indexed.js");
const { Keys } = require("./keys.js");
const { lookAgain } = require("./lookups.js");
const { Members, innermost, place } = require("./members.js");
const { Reach } = require("./reach.js");
const { Relations } = require("./relations.js");
const { twinned } = require("./twins.js");

const COMMANDS = { "lspwright.relatedMembers": relatedMembers, "lspwright.askedByKey": askedByKey };
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

/** Adds the requests to the session, once for all of its projects. */
function answer(ts, { session, project }) {
  if (!session?.addProtocolHandler || session.lspwrightAnswers) return;
  session.lspwrightAnswers = true;
  for (const [command, answered] of Object.entries(COMMANDS)) {
    session.addProtocolHandler(command, ({ arguments: asked }) => {
      const response = answered(ts, programs(project.projectService), asked);
      return { response, responseRequired: true };
    });
  }
  session.addProtocolHandler("lspwright.lookAgain", ({ arguments: asked }) => {
    const service = project.projectService;
    return { response: lookAgain(service, () => programs(service), asked), responseRequired: true };
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
 * All declarations of members of that name, and which of them belong together with the `found` ones: `relations` are
 * pairs of indices with the place that says so, `spelled` what else has to follow one. Lines and offsets are 1-based, in
 * UTF-16 units. `twins` are scripts with the declaration files that are published for them. Which of them a use `at` some
 * place asks for is `meant`.
 */
function relatedMembers(ts, programs, { name, found = [], twins = [], at }) {
  const members = new Members(ts, name);
  const parts = programs.map((program, index) => new Part(ts, program, members, index));
  const meant = at ? parts.flatMap((part) => part.meantAt(at)) : [];
  const beside = members.declarations.length > 1 ? twinned(ts, programs, twins) : undefined;
  if (beside) new Relations(ts, beside.flows, members).flowing([], beside.pairs);
  const places = new Set(found.map(({ file, line, offset }) => `${file}:${line}:${offset}`));
  const family = new Set();
  members.declarations.forEach(({ file, line, offset }, index) => {
    if (places.has(`${file}:${line}:${offset}`)) family.add(index);
  });
  for (let size = -1; size < family.size; ) {
    size = family.size;
    members.close(family);
    parts.forEach((part, index) => part.relate(family, parts.slice(0, index)));
    members.close(family);
  }
  const { declarations, relations, spelled } = members;
  return { declarations, relations, spelled, meant, isPartial: parts.some((part) => part.flows.isPartial ?? false) };
}

/**
 * The places where an object that has one of the `found` declarations, or a module that exports one, is asked for a member
 * by a key that the program makes: the name may be it; and those where a member is meant of a value of no known type. Lines and offsets are 1-based, in UTF-16 units.
 */
function askedByKey(ts, programs, { name, found }) {
  const key = ({ file, line, offset }) => `${file}:${line}:${offset}`;
  const declared = new Set(found.map(key));
  const isFound = (node) => {
    const file = node?.getSourceFile();
    return file !== undefined && declared.has(key(place(file, node.getStart(file) + (ts.isStringLiteralLike(node) ? 1 : 0))));
  };
  const places = new Map();
  for (const program of programs) {
    const { flows, reach, asking } = noted(ts, program);
    const own = [...new Set(found.map(({ file }) => program.getSourceFile(file)))].filter(Boolean);
    const near = own.length > 0 ? reach.from(own) : new Set();
    asking.indexed = indexedTypes(ts, program, found);
    const isMember = found.some((one) => declaresMember(ts, program.getSourceFile(one.file), one));
    for (const file of program.getSourceFiles()) {
      if ((near && !near.has(file)) || flows.isForeign(file)) continue;
      if (isMember) for (const one of asking.untyped(file, name, isFound)) places.set(key(one), one);
      for (const one of asking.places(file, name, isFound)) places.set(key(one), one);
    }
  }
  return { places: [...places.values()] };
}

/** Tells whether a member is declared at a place: nothing else is asked of a value, and of an enumeration none without type. */
function declaresMember(ts, file, { line, offset }) {
  const name = file && innermost(ts, file, file.getPositionOfLineAndCharacter(line - 1, offset - 1));
  const declaration = name?.parent;
  if (!declaration || ts.getNameOfDeclaration(declaration) !== name || ts.isEnumMember(declaration)) return false;
  if (ts.isPropertyAccessExpression(declaration)) return declaration.expression.kind === ts.SyntaxKind.ThisKeyword;
  return new Members(ts, name.text).isMember(declaration);
}

/** What is noted of a program, once. */
function noted(ts, program) {
  if (!known.has(program)) {
    const flows = new Flows(ts, program);
    known.set(program, {
      flows,
      reach: new Reach(ts, program),
      asking: new Asking(ts, program, (file) => flows.isForeign(file)),
    });
  }
  return known.get(program);
}

/** What one program says of a name. */
class Part {
  constructor(ts, program, members, index) {
    const { flows, reach } = noted(ts, program);
    Object.assign(this, { ts, program, members, index, flows, reach });
    this.relations = new Relations(ts, flows, members);
    this.compared = new Set();
    this.read = new Set();
    members.find(program, index);
  }

  meantAt({ file, line, offset }) {
    const source = this.program.getSourceFile(file);
    const name = source && innermost(this.ts, source, source.getPositionOfLineAndCharacter(line - 1, offset - 1));
    const symbol = name?.text === this.members.name ? this.relations.meant(name) : undefined;
    return symbol ? this.relations.declarationsOf(symbol) : [];
  }

  /** Looks where a type of the family and another that has the name can meet: in files that imports lead to both. */
  relate(family, others) {
    const own = this.declaring((index) => family.has(index));
    if (own.length === 0) return;
    const { name } = this.members;
    const near = this.among(this.reach.from(own));
    const speaking = this.taken(this.read, near.filter(({ text }) => text.includes(name)), others);
    this.relations.named(speaking);
    new Keys(this.ts, this.relations).all(speaking);
    const rest = this.declaring((index) => !family.has(index));
    if (rest.length === 0) return;
    const meeting = this.reach.from(rest);
    const open = near.filter((file) => meeting === undefined || meeting.has(file));
    this.relations.flowing(this.taken(this.compared, open, others));
  }

  /** Those files that are the project's own. */
  among(files) {
    return this.program.getSourceFiles().filter((file) => (!files || files.has(file)) && !this.flows.isForeign(file));
  }

  /** Those files that neither this program has seen to nor another that knows as much of them. */
  taken(seen, files, others) {
    const kind = seen === this.read ? "read" : "compared";
    const isNew = (file) => !seen.has(file) && !others.some((other) => other.answersFor(kind, file, this.reach));
    const taken = files.filter(isNew);
    taken.forEach((file) => seen.add(file));
    return taken;
  }

  answersFor(kind, file, reach) {
    const own = this.program.getSourceFile(file.fileName);
    return own !== undefined && this[kind].has(own) && reach.isWithin(file, this.reach, own);
  }

  /** The files of the program that declare what is asked for. */
  declaring(isAsked) {
    const declared = this.members.declarations.filter((one, index) => one.projects.includes(this.index) && isAsked(index));
    return [...new Set(declared.map(({ file }) => this.program.getSourceFile(file)))];
  }
}

plugin.relatedMembers = relatedMembers;
plugin.askedByKey = askedByKey;
module.exports = plugin;
