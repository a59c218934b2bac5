import { markets, type Currency } from '@purlin/contract/markets.ts'
import type { ProviderClaim, ProviderDebit } from '#payments'
import { every, job, on, type Work } from '#platform'
import { askLimit, keepLimit, planCheck, type LimitCheck } from './check-limit.ts'
import { collectDebit, followDebit, planDebits } from './collect-debits.ts'
import { reportEnd } from './end-mandate.ts'
import { keepRegistered, registerMandate, type Registered } from './give-mandate.ts'
import { keepReported, reportInvoice, type Reported } from './report-invoice.ts'
import { collect, keepStatement, openStatements, type Collected } from './issue-statements.ts'
import { askBeforeStatementReminder, planStatementReminders, remindStatement } from './remind-statement.ts'
import { followClaim } from './follow-claim.ts'
import { planLookUps } from './look-up-claims.ts'
import { askBeforeReminder, askClaim, planReminders, remind } from './remind.ts'

export const handlers = [
  on('invoice.issued', 'credit.report-invoice', {
    call: (context, issued) => reportInvoice(context, issued),
    commit: (scope, issued, reported: Reported | null) => keepReported(scope, issued, reported),
  }),
  on('company.registered', 'credit.first-check', {
    commit: async ({ db }, { companyId, country }) => {
      const currency: Currency | undefined = Object.values(markets).find((market) => market.country === country)?.currency
      if (currency) await planCheck(db, { companyId, currency })
    },
  }),
]

/** No order waits for any of these: a provider that hangs delays other services, and neither cards nor orders. */
const inServices = <Payload extends object, Answer>(name: string, work: Work<Payload, Answer>) => job(name, work, 'services')

export const jobs = [
  inServices<LimitCheck, Awaited<ReturnType<typeof askLimit>>>('credit.check-limit', { call: askLimit, commit: keepLimit }),
  inServices<{ claimId: string }, ProviderClaim | null>('credit.remind', {
    call: askBeforeReminder,
    commit: (scope, _payload, seen) => remind(scope, seen),
  }),
  inServices<{ claimId: string }, ProviderClaim | null>('credit.look-up-claim', {
    call: askClaim,
    commit: async (scope, _payload, seen) => void (seen && (await followClaim(scope, seen))),
  }),
  inServices<{ statementId: string }, Collected>('credit.issue-statement', {
    call: (context, { statementId }) => collect(context, statementId, `statement-${statementId}`),
    commit: (scope, { statementId }, seen) => keepStatement(scope, statementId, seen),
  }),
  inServices<{ statementId: string }, Collected>('credit.remind-statement', {
    call: (context, { statementId }) => askBeforeStatementReminder(context, statementId),
    commit: (scope, { statementId }, seen) => remindStatement(scope, statementId, seen),
  }),
  inServices<{ mandateId: string }, Registered>('credit.register-mandate', {
    call: (context, { mandateId }) => registerMandate(context, mandateId),
    commit: (scope, { mandateId }, registered) => keepRegistered(scope, mandateId, registered),
  }),
  inServices<{ mandateId: string }, void>('credit.end-mandate', {
    call: (context, { mandateId }) => reportEnd(context, mandateId),
    commit: async () => undefined,
  }),
  inServices<{ statementId: string }, ProviderDebit | null>('credit.collect-debit', {
    call: (context, { statementId }) => collectDebit(context, statementId),
    commit: async (scope, _payload, seen) => void (seen && (await followDebit(scope, seen))),
  }),
]

export const schedules = [
  every(3_600_000, 'credit.plan-reminders', planReminders),
  every(3_600_000, 'credit.plan-look-ups', planLookUps),
  every(3_600_000, 'credit.open-statements', openStatements),
  every(3_600_000, 'credit.plan-statement-reminders', planStatementReminders),
  every(3_600_000, 'credit.plan-debits', planDebits),
]
