import type { Db } from './scope.ts'

const postpone = {
  name: 'platform.postpone-schedule',
  text: `insert into platform.schedule (name, next_run_at) values ($1, now() + $2 * interval '1 millisecond')
    on conflict (name) do update set next_run_at = excluded.next_run_at`,
}

/** A schedule runs this much later next, also one that no worker knows yet. */
export async function postponeSchedule(db: Db, name: string, byMs: number): Promise<void> {
  await db.run(postpone, [name, byMs])
}
