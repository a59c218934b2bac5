import { createServer } from 'node:net'
import pg from 'pg'
import { StartError, codeOf } from './errors.ts'

/** Connections that Postgres keeps for others than this shop: those of superusers and, since version 16, of a role for the purpose. */
const limits = `select current_setting('server_version_num')::int as version, current_setting('max_connections')::int
  - current_setting('superuser_reserved_connections')::int - coalesce(current_setting('reserved_connections', true)::int, 0) as connections`

/**
 * Checks whether an external database is usable. Returns the number of connections that it allows.
 * @throws StartError with one sentence that says what is wrong
 */
export async function checkDatabase(connectionString: string): Promise<{ connections: number }> {
  let shown: string
  try {
    const url = new URL(connectionString)
    if (!/^postgres(ql)?:$/.test(url.protocol)) throw new Error('scheme')
    url.password = ''
    shown = url.toString()
  } catch {
    throw new StartError('DATABASE_URL is not an address of a Postgres: it reads postgres://user:password@host:5432/database.')
  }
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { version = 0, connections = 0 } = (await client.query<{ version: number; connections: number }>(limits)).rows[0] ?? {}
    if (version < 140_000) throw new StartError(`DATABASE_URL: ${shown} is older than Postgres 14.`)
    return { connections }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATABASE_URL: no database answers at ${shown} (${reasonOf(error)}).`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The problem with a database that allows fewer connections than the processes of this machine may open; null if there is none. */
export function tooFewConnections(allowed: number, needed: number): string | null {
  if (needed <= allowed) return null
  const most = `DATABASE_URL names a server that allows ${allowed} connections`
  return `${most}, and the processes of this machine may open ${needed}: raise its max_connections, or lower DATABASE_COMMANDS or WEB_PROCESSES.`
}

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  if (code === '28P01' || code === '28000') return 'user or password is wrong'
  if (code === '3D000') return 'there is no such database'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host is not known'
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  return error instanceof Error && error.message ? error.message : (code ?? 'no reason given')
}

/** @throws StartError when the port is already in use */
export async function checkPort(port: number, setting = 'PORT'): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => {
      const code = codeOf(error)
      if (code === 'EADDRINUSE') reject(new StartError(`Port ${port} is in use: end what listens there, or set ${setting} to another.`))
      else if (code === 'EACCES') reject(new StartError(`Port ${port} is not allowed for this user: set ${setting} to one above 1023.`))
      else reject(error)
    })
    probe.listen(port, () => probe.close(() => resolve()))
  })
}
