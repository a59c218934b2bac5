import { statementsOf, type Migration } from './timeline.ts'

/** Tables created by the same file are empty and unknown to other processes: anything may be done to them. */
const madeIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/create table (?:if not exists )?([a-z_]+\.[a-z_]+)/g)].map(([, table]) => table ?? ''))

const takesAway =
  /^(?:drop\s+(?!index\s+concurrently)|alter\s+table\s.*\b(?:drop\s+(?:column\s+)?(?!constraint|default|not null)|rename\b))/s
const rewrites = /^alter\s+table\s.*\b(?:alter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b|set\s+not\s+null)/s
const checksAll = /^alter\s+table\s.*\badd\s+(?:constraint\s+\w+\s+)?(?:check|foreign\s+key)\b(?!.*\bnot\s+valid\b)/s

/** `returning` has no order, and the next batch starts at the last key. */
const answersKeys = /\bselect\s+[\w.:]+\s+as\s+key\s+from\s+\w+\s+order\s+by\s+[\w.]+\s*;?\s*$/

/**
 * Reasons why a migration could break the running release or block its traffic; empty when it can run alongside it.
 * Numbered migrations predate these rules and run only on the databases of the first releases.
 */
export function problemsOf({ id, phase, text }: Migration): string[] {
  if (!/\/\d{12}-/.test(id)) return []
  const own = madeIn(text)
  const problems: string[] = []
  const say = (problem: string) => problems.push(`${id}: ${problem}`)
  const statements = statementsOf(text)
  for (const statement of statements) {
    const lower = statement.toLowerCase()
    const table = /\b(?:table|on)\s+(?:only\s+)?([a-z_]+\.[a-z_]+)/.exec(lower)?.[1] ?? ''
    if (phase === 'concurrent') {
      if (!/\bconcurrently\b/.test(lower) && !/^alter table .* validate constraint /s.test(lower))
        say('only `… index concurrently` and `validate constraint` run outside of a transaction')
      continue
    }
    if (/\bconcurrently\b/.test(lower)) say('`concurrently` needs a file of its own, ending in .concurrent.sql')
    if (phase === 'expand' && takesAway.test(lower))
      say('the running release may use what is dropped or renamed: end the file in .contract.sql')
    if (own.has(table)) continue
    if (/^create (?:unique )?index/.test(lower)) say('an index on a filled table blocks its writers: use .concurrent.sql')
    if (phase === 'expand' && rewrites.test(lower))
      say('`type` and `set not null` read or write the whole table under a lock: see server/README.md')
    if (checksAll.test(lower)) say('a constraint on a filled table is added `not valid`, then validated in a .concurrent.sql')
    if (/^(?:update|delete)\b/.test(lower) && phase !== 'backfill') say('rows are changed in batches: use .backfill.sql')
  }
  if (phase === 'backfill' && (statements.length !== 1 || !/\$1\b/.test(text) || !/\$2\b/.test(text) || !answersKeys.test(text)))
    say(
      'a backfill is one statement that takes the last key as $1 and the number of rows as $2, and ends `select … as key from … order by …`',
    )
  return problems
}
