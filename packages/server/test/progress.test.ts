import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressBar } from '../src/cli/progress.ts'

function terminal(isTTY: boolean) {
  const written: string[] = []
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0
  return { written, isTTY, write }
}

test('a bar shows how much is done of how much, and what is worked on', () => {
  const on = terminal(true)
  const bar = progressBar('testing', on)
  bar.show(1, 4, 'the first list')
  assert.deepEqual(on.written, [
    `\r\u001b[2Ktesting [${'#'.repeat(8)}${'.'.repeat(22)}] 25 % 1/4  the first list`,
  ])
  bar.end()
  assert.equal(on.written.at(-1), '\r\u001b[2K')
})

test('a bar without an end in sight shows what is done alone', () => {
  const on = terminal(true)
  progressBar('fetching', on).show(1_234, undefined)
  assert.match(on.written[0] ?? '', /fetching \[\.{30}\] 1234$/)
})

test('a bar is drawn a few times, however much is told, and always when all is done', () => {
  const on = terminal(true)
  const bar = progressBar('testing', on)
  for (let done = 0; done <= 100_000; done++) bar.show(done, 100_000)
  assert.ok(on.written.length < 1_000)
  assert.match(on.written.at(-1) ?? '', /\[#{30}\] 100 % 100000\/100000$/)
  progressBar('nothing to do', on).show(0, 0)
  assert.match(on.written.at(-1) ?? '', /100 % 0\/0$/)
})

test('nothing is written where there is no terminal', () => {
  const off = terminal(false)
  const bar = progressBar('testing', off)
  bar.show(1, 2)
  bar.end()
  assert.deepEqual(off.written, [])
})
