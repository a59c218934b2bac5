import type { Db } from './scope.ts'

const take = {
  name: 'platform.take-lease',
  text: `insert into platform.lease as lease (name, epoch, holder, expires_at)
    values ($1, $2::bigint + 1, $3::jsonb, clock_timestamp() + $4 * interval '1 millisecond')
    on conflict (name) do update set epoch = greatest(lease.epoch, $2) + 1, holder = excluded.holder, expires_at = excluded.expires_at
    where lease.holder is null or lease.expires_at < clock_timestamp() or lease.epoch = $5
    returning epoch::int`,
}
const read = { name: 'platform.read-lease', text: 'select epoch::int, holder from platform.lease where name = $1' }
const renew = {
  name: 'platform.renew-lease',
  text: `update platform.lease set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
    where name = $1 and epoch = $2 and holder is not null returning epoch::int`,
}
const release = {
  name: 'platform.release-lease',
  text: 'update platform.lease set holder = null where name = $1 and epoch = $2',
}

export interface LeaseClaim<Holder> {
  name: string
  holder: Holder
  ttlMs: number
  /** The epoch granted is above this one, and above every epoch granted before. */
  above: number
  /** The epoch of a holder known to be dead, whose lease need not expire first. */
  abandoned?: number | undefined
}

/** Acquires a lease that is free, released or expired by the database's clock. Returns its epoch, or null when it is held. */
export async function takeLease<Holder>(db: Db, { name, above, holder, ttlMs, abandoned }: LeaseClaim<Holder>): Promise<number | null> {
  const taken = await db.row<{ epoch: number }>(take, [name, above, JSON.stringify(holder), ttlMs, abandoned ?? 0])
  return taken?.epoch ?? null
}

/** The holder of a lease; `holder` is null once it has been released. */
export async function readLease<Holder>(db: Db, name: string): Promise<{ epoch: number; holder: Holder | null } | undefined> {
  return db.row<{ epoch: number; holder: Holder | null }>(read, [name])
}

/** False when the lease has passed to a later epoch. */
export async function renewLease(db: Db, name: string, epoch: number, ttlMs: number): Promise<boolean> {
  return (await db.row(renew, [name, epoch, ttlMs])) !== undefined
}

export async function releaseLease(db: Db, name: string, epoch: number): Promise<void> {
  await db.run(release, [name, epoch])
}
