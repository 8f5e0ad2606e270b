// Loaded before Hardhat, which has no option for the reporter of its mocha: whoever runs mocha in the process reports by ours.
'use strict';
const Module = require('module');
const reporter = require('./mocha.cjs');

const load = Module._load;
const seen = new WeakSet();
Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest);
  if (request === 'mocha' && typeof loaded === 'function' && !seen.has(loaded)) {
    seen.add(loaded);
    const { run } = loaded.prototype;
    loaded.prototype.run = function (...args) {
      this.reporter(reporter);
      return run.apply(this, args);
    };
  }
  return loaded;
};
