import { closeSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Takes the folder for this process alone; what a killed process left is taken over. Returns the release. */
export function lockFolder(directory: string): () => void {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'writer.lock')
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = openSync(path, 'wx')
      writeSync(file, String(process.pid))
      closeSync(file)
      return () => {
        try {
          unlinkSync(path)
        } catch {
          // Already gone.
        }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = Number(readFileSync(path, 'utf8')) || 0
    if (owner !== 0 && isAlive(owner)) throw new Error(`another process (${owner}) writes to ${directory}`)
    unlinkSync(path)
  }
  throw new Error(`${directory} could not be locked`)
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
