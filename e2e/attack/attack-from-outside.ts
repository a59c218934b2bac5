import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Assignment, Report } from './attacker.ts'

type Work = Exclude<Assignment, { kind: 'bare server' }>
type ReportOf<Kind> = Extract<Report, { kind: Kind }>

function start(): { ask<Kind extends Report['kind']>(assignment: Assignment, kind: Kind): Promise<ReportOf<Kind>>; stop(): void } {
  const child = fork(join(import.meta.dirname, 'attacker.ts'), [], { serialization: 'advanced' })
  return {
    ask: (assignment, kind) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`The attacker ended with ${code}`))
        child.once('exit', ended)
        child.once('message', (report: Report) => {
          child.off('exit', ended)
          if (report.kind === kind) resolve(report as ReportOf<typeof kind>)
          else reject(new Error(`The attacker reported ${report.kind}`))
        })
        child.send(assignment)
      }),
    stop: () => void child.kill('SIGKILL'),
  }
}

/** Carries out the work in another process. */
export async function attackFromOutside<Kind extends Work['kind']>(work: Extract<Work, { kind: Kind }>): Promise<ReportOf<Kind>> {
  const attacker = start()
  try {
    return await attacker.ask(work, work.kind)
  } finally {
    attacker.stop()
  }
}

/** A server that does as little as possible, in a process of its own. */
export async function startBareServer(): Promise<{ port: number; stop(): void }> {
  const attacker = start()
  const { port } = await attacker.ask({ kind: 'bare server' }, 'listening')
  return { port, stop: attacker.stop }
}
