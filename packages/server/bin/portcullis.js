#!/usr/bin/env node
// Starts the TypeScript sources with the Node that this project pins, whatever Node was found.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 26
// V8 keeps three of these for young objects, full or not: 8 MiB each instead of up to 32 saves a
// service that lives for months some 100 MB and costs it little (docs/performance.md).
const FLAGS = ['--max-semi-space-size=8']

const cli = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'cli', 'main.ts')
const isNewEnough = Number(process.versions.node.split('.')[0]) >= OLDEST_NODE
const pinnedPackage = () => createRequire(import.meta.url).resolve('node/package.json')
const node = isNewEnough ? process.execPath : join(dirname(pinnedPackage()), 'bin', 'node')

const child = spawn(node, [...FLAGS, cli, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
