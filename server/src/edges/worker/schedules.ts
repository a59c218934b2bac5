import { type Pool, type Schedule, asCommand, logOf, newId } from '#platform'

const know = { name: 'worker.know-schedule', text: 'insert into platform.schedule (name) values ($1) on conflict do nothing' }
const due = {
  name: 'worker.schedule-due',
  text: 'select 1 from platform.schedule where name = $1 and next_run_at <= now() for update skip locked',
}
const next = {
  name: 'worker.schedule-next',
  text: `update platform.schedule set next_run_at = now() + $2 * interval '1 millisecond' where name = $1`,
}
const isDue = { name: 'worker.schedules-due', text: 'select name from platform.schedule where next_run_at <= now()' }

export async function registerSchedules(pool: Pool, schedules: readonly Schedule[]): Promise<void> {
  for (const { name } of schedules) await pool.db.run(know, [name])
}

/** Runs due schedules, each in its own transaction and in one worker at a time; a failed one waits for its next turn. */
export async function runSchedules(pool: Pool, schedules: readonly Schedule[]): Promise<number> {
  const names = new Set((await pool.db.rows<{ name: string }>(isDue)).map(({ name }) => name))
  let ran = 0
  for (const { name, everyMs, run } of schedules) {
    if (!names.has(name)) continue
    const log = logOf({ schedule: name })
    try {
      await asCommand(pool, async ({ db, emit }) => {
        if (!(await db.row(due, [name]))) return
        await db.run(next, [name, everyMs])
        await run({ now: new Date(), db, emit, requestId: newId(), log })
        ran++
      })
    } catch (error) {
      log.error({ reason: error instanceof Error ? error.message : String(error) }, 'a scheduled job failed')
      await pool.db.run(next, [name, Math.min(everyMs, 60_000)]).catch(() => undefined)
    }
  }
  return ran
}
