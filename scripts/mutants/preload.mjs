// Loaded first in every process and thread of a run of tests: says which mutant is active, or records which mutants a test reaches.
import childProcess from 'node:child_process';
import { appendFileSync } from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { threadId } from 'node:worker_threads';

const active = Number(process.env.MUTANT ?? 0);
const folder = process.env.MUTANT_HITS;
const seen = new Set();

/** The test file for which this code runs: Vitest knows it, and our child processes get it. */
const test = () => globalThis['__vitest_worker__']?.filepath ?? process.env.MUTANT_TEST ?? '';

function record(id) {
  const line = `${test()}\t${id}\n`;
  if (seen.has(line)) return;
  seen.add(line);
  appendFileSync(`${folder}/${process.pid}-${threadId}.tsv`, line);
}

globalThis.activeMutant = (id) => {
  if (folder !== undefined) record(id);
  return id === active;
};

if (folder !== undefined) {
  const { spawn } = childProcess;
  childProcess.spawn = (...call) => {
    process.env.MUTANT_TEST = test();
    const options = call.findLast((argument) => typeof argument === 'object' && !Array.isArray(argument));
    if (options?.env !== undefined) options.env.MUTANT_TEST = test();
    return spawn(...call);
  };
  syncBuiltinESMExports();
}

/** Pages load this script before all others. */
const script =
  folder === undefined
    ? `globalThis.activeMutant=(id)=>id===${active}`
    : `{const seen=new Set();const send=fetch.bind(globalThis);globalThis.activeMutant=(id)=>{if(!seen.has(id)){seen.add(id);send('/mutant-hit?'+id,{keepalive:true}).catch(()=>{})}return false}}`;

const { emit } = http.Server.prototype;
http.Server.prototype.emit = function (event, request, response, ...rest) {
  if (event === 'request' && request.url === '/mutants.js') {
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    return true;
  }
  if (event === 'request' && request.url.startsWith('/mutant-hit?')) {
    record(request.url.split('?')[1]);
    response.writeHead(204).end();
    return true;
  }
  return emit.call(this, event, request, response, ...rest);
};
