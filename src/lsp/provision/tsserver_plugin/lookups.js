// What tsserver looked for in vain, and is there now. Right below the root of a file system, below `/home/user` and the like
// tsserver watches no directory, elsewhere its client may not know of the watch in time: then a module that comes after an
// import of it stays unknown there, and a configuration that comes late has no effect.
"use strict";

const CONFIGURATION = /\/(tsconfig|jsconfig|package)[^/]*\.json$/;

/** Loads all projects anew if files that came or went change what they are made of; tells whether it did. */
function lookAgain(service, programs, { created, deleted }) {
  const came = new Set(created);
  const isConfigured = [...created, ...deleted].some((path) => CONFIGURATION.test(path));
  const isNeeded = isConfigured || (came.size > 0 && programs().some((program) => looksFor(program, came)));
  if (isNeeded) {
    noteConfigurations(service);
    service.reloadProjects();
  }
  return { isNeeded };
}

/** Corrects what tsserver remembers of configurations that were not there. */
function noteConfigurations(service) {
  for (const [path, known] of service.configFileExistenceInfoCache ?? []) {
    known.exists ||= service.host.fileExists(path);
  }
}

/** Tells whether a program would take one of some files for a module that it imports, and does not. */
function looksFor(program, came) {
  let isLookedFor = false;
  program.forEachResolvedModule(({ failedLookupLocations }) => {
    isLookedFor ||= failedLookupLocations?.some((path) => came.has(path)) ?? false;
  });
  return isLookedFor;
}

module.exports = { lookAgain };
