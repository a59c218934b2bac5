import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, type Load } from './load.ts'

/** Requests per second of node:http on this machine, now: serving "hello", or the given bytes. */
export async function bare(bytes?: { body: Buffer; encoding?: string }, connections?: number): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'))
  const file = join(folder, 'body')
  if (bytes) writeFileSync(file, bytes.body)
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), bytes ? [file, ...(bytes.encoding ? [bytes.encoding] : [])] : [])
  try {
    const port = await portOf(child)
    return await load(`http://127.0.0.1:${port}`, [{ path: '/' }], { seconds: 4, warmSeconds: 1, ...(connections && { connections }) })
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve(port as number))
    child.once('exit', (code) => reject(new Error(`The bare server ended with ${code}`)))
  })
}
