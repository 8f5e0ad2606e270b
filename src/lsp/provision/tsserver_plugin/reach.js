// Which files of a program can know a type: those that imports lead from to the file that declares it.
"use strict";

class Reach {
  constructor(ts, program) {
    this.ts = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    /** By file, those that import it. */
    this.importers = new Map();
    this.imports = new Map();
    this.known = new Map();
    const files = program.getSourceFiles();
    const everywhere = [];
    for (const file of files) {
      this.imports.set(file, new Set(this.imported(file)));
      for (const imported of this.imports.get(file)) {
        if (!this.importers.has(imported)) this.importers.set(imported, new Set());
        this.importers.get(imported).add(file);
      }
      if (this.isGlobal(file)) everywhere.push(file);
    }
    /** What a global declaration may speak of is known in every file. */
    this.everywhere = new Set(everywhere);
    for (const file of this.everywhere) {
      for (const imported of this.imports.get(file) ?? []) this.everywhere.add(imported);
    }
  }

  /** The files that may hold values of a type that one of these files declares, themselves among them; nothing for all. */
  from(files) {
    const reached = new Set(files);
    for (const file of reached) {
      if (this.everywhere.has(file)) return undefined;
      for (const importer of this.importers.get(file) ?? []) reached.add(importer);
    }
    return reached;
  }

  /** Tells whether all that imports lead to from a file is known to another program, too. */
  isWithin(file, other, same) {
    const others = other.names(same);
    return [...this.names(file)].every((name) => others.has(name));
  }

  /** The files that imports lead to. */
  names(file) {
    let names = this.known.get(file);
    if (!names) {
      const reached = new Set([file]);
      for (const one of reached) {
        for (const imported of this.imports.get(one) ?? []) reached.add(imported);
      }
      names = new Set([...reached].map(({ fileName }) => fileName));
      this.known.set(file, names);
    }
    return names;
  }

  isGlobal(file) {
    if (file.fileName.endsWith(".json")) return false;
    const isModule = this.ts.isExternalModule(file) || file.commonJsModuleIndicator !== undefined;
    return !isModule || (file.moduleAugmentations?.length ?? 0) > 0;
  }

  *imported(file) {
    for (const literal of file.imports ?? []) {
      const symbol = this.checker.getSymbolAtLocation(literal);
      const declared = (symbol?.declarations ?? []).map((node) => node.getSourceFile());
      yield* declared.length > 0 ? declared : this.resolved(file, literal);
    }
    for (const reference of file.referencedFiles ?? []) {
      const referenced = this.program.getSourceFileFromReference?.(file, reference);
      if (referenced) yield referenced;
    }
  }

  /** What an import that stands nowhere in the text leads to: that of what JSX becomes. */
  *resolved(file, literal) {
    const { ts, program } = this;
    const mode = ts.getModeForUsageLocation?.(file, literal, program.getCompilerOptions());
    const found =
      program.getResolvedModule?.(file, literal.text, mode)?.resolvedModule ??
      file.resolvedModules?.get?.(literal.text, mode);
    const target = found?.resolvedFileName && program.getSourceFile(found.resolvedFileName);
    if (target) yield target;
  }
}

module.exports = { Reach };
