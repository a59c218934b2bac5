/** npm run check:production: lists what these settings, and the mail server they name, lack for a shop on real domains; exit code 1 if anything. */
import { existsSync } from 'node:fs'
import { mailServerProblem } from '@purlin/server/foundation/mail/mail-server-problem.ts'
import { StartError, readSettings } from '@purlin/server/foundation/platform/index.ts'

if (existsSync('.env')) process.loadEnvFile('.env')
try {
  const { hosts, mail } = readSettings(undefined, [], { forProduction: true })
  // A shop starts without it, and its mails wait; here an operator wants to know.
  const problem = await mailServerProblem(mail.smtpUrl ?? '')
  if (problem) throw new StartError(`The settings are valid, but:\n  - SMTP_URL ${problem}`)
  process.stdout.write(`Ready for production on ${hosts.sites.length} sites.\n`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stdout.write(`Not ready for production. ${error.message}\n`)
  process.exitCode = 1
}
