#!/usr/bin/env node
// Starts the TypeScript sources with the Node that this project pins, whatever Node was found.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 26
const cli = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'cli', 'main.ts')

if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) {
  await import(cli)
} else {
  const pinned = join(
    dirname(createRequire(import.meta.url).resolve('node/package.json')),
    'bin',
    'node',
  )
  const child = spawn(pinned, [cli, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
