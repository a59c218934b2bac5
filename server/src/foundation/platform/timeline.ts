import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { moduleFolders, modules, type ModuleName } from '../../modules.ts'

/**
 * expand: adds, so that the previous release keeps working; one transaction. concurrent: statements that cannot run in a
 * transaction, such as `create index concurrently`. backfill: fills what an expansion added, batch by batch. contract:
 * removes what no running release uses any more.
 */
export type Phase = 'expand' | 'concurrent' | 'backfill' | 'contract'

export interface Migration {
  /** "cart/202611220930-gift-note.sql" */
  id: string
  phase: Phase
  text: string
  checksum: string
}

const source = join(import.meta.dirname, '../..')
const numbered = /^\d{3}-[a-z0-9-]+\.sql$/
const dated = /^\d{12}-[a-z0-9-]+(?:\.(concurrent|backfill|contract))?\.sql$/

/**
 * Every migration of all modules in the one order in which they run: first the numbered ones, module by module, as in the
 * first release; then the timestamped ones, by time. Up to and including module `upTo`, for tests.
 */
export function listMigrations(upTo?: ModuleName): Migration[] {
  const wanted = upTo ? moduleFolders.slice(0, modules.indexOf(upTo) + 1) : moduleFolders
  const found = ['foundation/platform', ...wanted].flatMap((path) => migrationsIn(join(source, path), basename(path)))
  const timeOf = ({ id }: Migration): string => /\/(\d{12})-/.exec(id)?.[1] ?? ''
  // The sort is stable: migrations with the same time, or none, stay in module order.
  return found.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))
}

function migrationsIn(folder: string, module: string): Migration[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.toSorted().map((file) => {
    if (!numbered.test(file) && !dated.test(file))
      throw new Error(`${module}/${file}: a migration is called YYYYMMDDHHMM-what.sql, or .concurrent.sql, .backfill.sql, .contract.sql`)
    return migrationOf(`${module}/${file}`, readFileSync(join(folder, file), 'utf8'))
  })
}

export function migrationOf(id: string, text: string): Migration {
  return { id, phase: phaseOf(id), text, checksum: createHash('sha256').update(text).digest('hex') }
}

export function phaseOf(id: string): Phase {
  const phase = /\.(concurrent|backfill|contract)\.sql$/.exec(id)?.[1]
  return phase === 'concurrent' || phase === 'backfill' || phase === 'contract' ? phase : 'expand'
}

/** The statements of a file that are run one by one: each ends with a semicolon at the end of its line. */
export function statementsOf(text: string): string[] {
  return text
    .replace(/^\s*--.*$/gm, '')
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
