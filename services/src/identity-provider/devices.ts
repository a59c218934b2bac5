import type { Db } from '@purlin/server/foundation/platform/index.ts'
import type { Account } from './accounts.ts'

export interface Device {
  uid: string
  /** "Firefox, Windows"; empty when the user agent is unknown. */
  name: string
  at: Date
}

const remember = {
  name: 'identity.device-remember',
  text: `insert into identity.device (realm, session_uid, account_id, name) values ($1, $2, $3, $4)
    on conflict (realm, session_uid) do update set account_id = excluded.account_id, name = excluded.name`,
}
const list = {
  name: 'identity.devices',
  text: `select session.uid, coalesce(device.name, '') as name, coalesce(device.created_at, session.created_at) as at
    from identity.artifact session left join identity.device on device.realm = session.realm and device.session_uid = session.uid
    where session.realm = $1 and session.model = 'Session' and session.account_id = $2::uuid and session.expires_at > now()
    order by at desc limit 100`,
}
const purge = {
  name: 'identity.devices-purge',
  text: `delete from identity.device where created_at < now() - interval '1 day' and not exists (
    select 1 from identity.artifact where model = 'Session' and realm = device.realm and uid = device.session_uid)`,
}

export async function rememberDevice(db: Db, { realm, id }: Pick<Account, 'realm' | 'id'>, uid: string, userAgent: string): Promise<void> {
  await db.run(remember, [realm, uid, id, deviceName(userAgent)])
}

/** The devices signed in to an account, the latest first. */
export function devicesOf(db: Db, { realm, id }: Pick<Account, 'realm' | 'id'>): Promise<Device[]> {
  return db.rows<Device>(list, [realm, id])
}

export async function purgeDevices(db: Db): Promise<void> {
  await db.run(purge)
}

const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Well-known names from a fixed list: nothing of the user agent itself is stored. */
export function deviceName(userAgent: string): string {
  const nameIn = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [nameIn(browsers), nameIn(systems)].filter(Boolean).join(', ')
}
