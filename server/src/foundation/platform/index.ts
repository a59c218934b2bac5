/** The platform that every module builds on. */
export {
  type AnyJob,
  type CallContext,
  type Handler,
  type Job,
  type JobOrder,
  type JobScope,
  type Lane,
  type LongContext,
  type LongJob,
  type Schedule,
  type Work,
} from './jobs.ts'
export {
  complete,
  dequeue,
  dequeueOfVisitor,
  dropDeadLetters,
  enqueue,
  every,
  job,
  mailsAtOnce,
  on,
  onPatiently,
  visitorsWaiting,
} from './jobs.ts'
export { type BoundedCache, boundedCache } from './bounded-cache.ts'
export type { ActionsOf } from './actions-of.ts'
export { takeBeside } from './beside.ts'
export {
  type Beside,
  type Db,
  type Log,
  type ReadBeside,
  type Scope,
  type SessionRef,
  type AddedProduct,
  type SiteScope,
  type Statement,
  readingAside,
} from './scope.ts'
export { type Pool, type PoolOptions, createPool, dbOn } from './pool.ts'
export { identitySizes } from './pool-sizes.ts'
export { asCommand, isRefused, transaction, withRetry } from './transaction.ts'
export { type WakeUp, connectWaking, isWoken, onWake, wake, wakeHere } from './wake.ts'
export { type UnitOfWork, unitOfWork } from './unit-of-work.ts'
export {
  PermanentError,
  StartError,
  StatusError,
  TooManyError,
  UnavailableError,
  codeOf,
  isTimeout,
  isUnstorable,
  isUnavailable,
  startSentence,
} from './errors.ts'
export { bears } from './bearer.ts'
export { type Posted, isEndpointUrl, postWebhook, webhookHeaders } from './post-webhook.ts'
export { cookieValue, hostCookie, hostCookieName, isSecure, sessionCookie, sessionCookieName, staffCookie } from './site-cookies.ts'
export {
  type DeadEvent,
  type JobState,
  type ListedJob,
  cancelJob,
  countJobs,
  findJob,
  jobStates,
  listDeadEvents,
  listJobs,
  retryEvent,
  retryJob,
} from './job-list.ts'
export { eventValues, storeEvents } from './outbox.ts'
export { isId, newId, takeNumbers } from './ids.ts'
export { addressIn } from './forwarded-address.ts'
export { isNear } from './near.ts'
export { isOwnNetwork } from './trusted-networks.ts'
export { isPrivateName } from './production-profile.ts'
export { postponeSchedule } from './postpone-schedule.ts'
export { quotas } from './quota-limits.ts'
export { mailboxOf } from './mailbox-of.ts'
export { requireQuota, takeQuota, type Taken } from './quotas.ts'
export { lineHashOf, networkOf, senderHashOf, senderSharesOf } from './sender.ts'
export { lineQuota } from '@purlin/contract/line-quota.ts'
export { logForged } from './log-forged.ts'
export { openBankAccount, sealAccountsAnew, sealBankAccount, type SealedAccounts } from './bank-seal.ts'
export { parseHolder, parseIban, type IbanFault } from './iban.ts'
export { loadLate } from './load-late.ts'
export { log, logOf, withoutAddresses } from './log.ts'
export { traceHeader, traced } from './tracing.ts'
export { type Migrated, describe, migrate } from './migrate.ts'
export { checkSchema, isNeeded, schemaStatus } from './schema-version.ts'
export { type Query, backfillBatch, openBackfills } from './backfill.ts'
export { type LaunchOptions, type PostgresServer, launchPostgres } from './pg-server.ts'
export { type Keyed, type KeyRefused, withIdempotency } from './idempotency.ts'
export { purgePages, watchPurges } from './purge.ts'
export { type LeaseClaim, readLease, releaseLease, renewLease, takeLease } from './lease.ts'
export { readNote, writeNote } from './notes.ts'
export type { Creditor } from './credit-settings.ts'
export type { IdentitySettings } from './provider-settings.ts'
export {
  type FileSettings,
  type ReadOptions,
  type Role,
  type Settings,
  childEnvironment,
  processSettings,
  readSettings,
  settings,
} from './settings.ts'
export { type ColumnsOf, columnsJson, rowsOf } from './columns-json.ts'
export { inMemory } from './in-memory.ts'
export { readTogether } from './together.ts'
export { within } from './within.ts'
