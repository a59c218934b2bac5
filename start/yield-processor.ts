import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** A thirtieth of the processor beside a process of usual priority, and all of it while nothing else wants it. */
const steps = 15
const lowest = 19

/** Lowers the priority of this process. Linux has one for each thread, and later threads inherit that of the first. */
export function yieldProcessor(): void {
  const priority = Math.min(lowest, getPriority() + steps)
  for (const thread of threads()) {
    try {
      setPriority(thread, priority)
    } catch (error) {
      // A thread may have ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
    }
  }
}

/** Of this process; elsewhere than on Linux the process stands for all of them. */
function threads(): number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
}
