/** npm run check:production: lists what these settings, and the mail server and database they name, lack for a shop on real domains; exit code 1 if anything. */
import { existsSync } from 'node:fs'
import { mailServerProblem } from '@purlin/server/foundation/mail/mail-server-problem.ts'
import { StartError, readSettings, type Settings } from '@purlin/server/foundation/platform/index.ts'
import { checkDatabase, tooFewConnections } from '@purlin/server/foundation/platform/reach.ts'

async function databaseProblem({ databaseUrl, maxConnections }: Settings): Promise<string | null> {
  if (!databaseUrl) return null
  try {
    const { connections } = await checkDatabase(databaseUrl)
    return tooFewConnections(connections, maxConnections)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return error.message
  }
}

if (existsSync('.env')) process.loadEnvFile('.env')
try {
  const settings = readSettings(undefined, [], { forProduction: true })
  // A shop starts without its mail server, and its mails wait, and with a few connections less; here an operator wants to know.
  const [mail, database] = await Promise.all([mailServerProblem(settings.mail.smtpUrl ?? ''), databaseProblem(settings)])
  const problems = [...(mail ? [`SMTP_URL ${mail}`] : []), ...(database ? [database] : [])]
  if (problems.length > 0) throw new StartError(['The settings are valid, but:', ...problems].join('\n  - '))
  process.stdout.write(`Ready for production on ${settings.hosts.sites.length} sites.\n`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(`Not ready for production. ${error.message}\n`)
  process.exitCode = 1
}
