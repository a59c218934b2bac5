import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channel } from 'node:diagnostics_channel'
import { forgetSwitches, setFlag } from '#flags'
import { newId, type JobScope, type Scope } from '#platform'
import { addDays } from '#pricing'
import { testDatabase } from '#platform/testing'
import { checkCompanies } from '../../../../e2e/company-invariants.ts'
import type { CreditProvider, ProviderClaim, ProviderDebit } from '../payments/credit-provider.ts'
import { useCreditProvider } from '../payments/settings.ts'
import { chooseStatements } from './choose-statements.ts'
import { collect, keepStatement, openStatements } from './issue-statements.ts'
import { askBeforeStatementReminder, planStatementReminders, remindStatement } from './remind-statement.ts'
import { planReminders, remind } from './remind.ts'
import { collectDebit, followDebit, planDebits } from './collect-debits.ts'
import { reportEnd } from './end-mandate.ts'
import { followClaim } from './follow-claim.ts'
import { giveMandate, keepRegistered, registerMandate } from './give-mandate.ts'
import { planLookUps } from './look-up-claims.ts'
import { revokeMandate } from './revoke-mandate.ts'
import { writeClaim } from './store.ts'
import { addBuyer } from './testing.ts'

const database = await testDatabase()
const { db, pool } = database
before(async () => {
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
})
after(() => useCreditProvider())

/** Deterministic: the same seed, the same two years. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

interface Known extends ProviderClaim {
  amount: number
  collection: string | null
}
const openOf = ({ amount, credited, repaid, reversed }: Known): number => amount - credited - repaid + reversed

interface KnownDebit extends Omit<ProviderDebit, 'claims'> {
  reference: string
  submittedOn: string
  /** The day of the last change. */
  on: string
  parts: Map<Known, number>
}

/** A provider whose responses are lost after their effect, and which refuses no payment, not even a second one. */
function unreliableProvider(chance: () => number, today: () => string) {
  const claims = new Map<string, Known>()
  const show = ({ claimId, reference, dueOn, credited, repaid, reversed }: Known): ProviderClaim => ({
    claimId,
    reference,
    dueOn,
    credited,
    repaid,
    reversed,
  })
  const find = (id: string): Known => claims.get(id) ?? assert.fail(`unknown claim ${id}`)
  const lose = <Value>(value: Value): Value => {
    if (chance() < 0.15) throw new Error('The response was lost')
    return value
  }
  const collections = new Map<string, readonly string[]>()
  const no = () => assert.fail('not expected')
  const mandates = new Map<string, { isActive: boolean }>()
  const debits = new Map<string, KnownDebit>()
  const showDebit = ({ statementId, amount, state, reason }: KnownDebit): ProviderDebit => ({
    statementId,
    amount,
    state,
    reason,
    claims: (collections.get(statementId) ?? []).map((id) => show(find(id))),
  })
  /** The banks work: debits are paid or returned after two days, and paid ones refunded within eight weeks. */
  const settle = (isOver: boolean): KnownDebit[] =>
    [...debits.values()].filter((debit) => {
      const outcome = chance()
      if (debit.state === 'submitted' && today() >= addDays(debit.on, 2)) {
        const reason = outcome < 0.1 ? 'AM04' : outcome < 0.15 ? 'AC04' : outcome < 0.2 ? 'MD01' : null
        Object.assign(debit, { state: reason ? 'returned' : 'settled', reason, on: today() })
        if (reason === null)
          for (const claim of (collections.get(debit.statementId) ?? []).map(find)) {
            debit.parts.set(claim, openOf(claim))
            claim.repaid += openOf(claim)
          }
        return true
      }
      if (debit.state !== 'settled' || isOver || outcome > 0.006 || today() > addDays(debit.on, 56)) return false
      Object.assign(debit, { state: 'returned', reason: 'MD06', on: today() })
      for (const [claim, part] of debit.parts) claim.reversed += part
      return true
    })
  const provider: CreditProvider = {
    name: 'unreliable',
    invoice: async (_order, { claimId }) => lose(show(find(claimId))),
    collect: async ({ statementId, number, dueOn, claimIds }) => {
      if (!collections.has(statementId)) {
        collections.set(statementId, claimIds)
        for (const claim of claimIds.map(find)) {
          assert.equal(claim.collection, null, 'a claim is collected once')
          const latest = addDays(claim.dueOn, 30)
          const moved = claim.dueOn > dueOn ? claim.dueOn : dueOn < latest ? dueOn : latest
          Object.assign(claim, { collection: statementId, dueOn: moved })
        }
      }
      const payee = { holder: 'Credit', iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22', remittance: number }
      return lose({ payee, claims: (collections.get(statementId) ?? []).map((id) => show(find(id))) })
    },
    registerMandate: async ({ reference, iban }) => {
      if (!mandates.has(reference)) mandates.set(reference, { isActive: !iban.endsWith('7') })
      return lose({ isAccepted: mandates.get(reference)?.isActive ?? false })
    },
    endMandate: async (reference) => {
      mandates.set(reference, { isActive: false })
      lose(null)
    },
    debit: async ({ statementId, mandateReference: reference, amount }) => {
      if (!debits.has(statementId)) {
        const open = (collections.get(statementId) ?? []).map(find).reduce((sum, claim) => sum + openOf(claim), 0)
        const refusal = !mandates.get(reference)?.isActive ? 'mandate-ended' : open === 0 ? 'nothing-open' : null
        const state = refusal ? 'canceled' : 'submitted'
        const facts = { submittedOn: today(), on: today(), parts: new Map<Known, number>() }
        assert.ok(open <= amount, 'a debit is at most as large as announced')
        debits.set(statementId, { statementId, reference, amount: refusal ? 0 : open, state, reason: refusal, ...facts })
      }
      return lose(showDebit(debits.get(statementId) ?? assert.fail()))
    },
    requestCredit: no,
    capture: no,
    void: no,
    retrieve: no,
    refund: no,
    retrieveLimit: no,
    verifyMessage: no,
  }
  return { provider, claims, collections, debits, showDebit, settle }
}

const start = Date.UTC(2026, 0, 15, 9)
const dayMs = 86_400_000
const years = 730
/** For everything that was interrupted, and the last reminders. */
const runOut = 130

// One pair of years takes ten seconds: `SEED=70003 npm test -- credit/two-years` lives others.
for (const seed of [Number(process.env['SEED'] ?? 11)])
  test(`R-079 two years by the clock with lost responses, killed workers and days of standstill: each invoice is asked for once, and until it is paid (seed ${seed})`, async () => {
    channel('purlin:job').publish({})
    const chance = random(seed)
    let now = new Date(start)
    const today = () => now.toISOString().slice(0, 10)
    const { provider, claims, collections, debits, showDebit, settle } = unreliableProvider(chance, today)
    useCreditProvider(provider)
    const company = await addBuyer(db, 'DE100000003', { market: 'de', country: 'DE' })
    const { id: companyId } = company.principal.company
    const rows = async <Row>(text: string, values: unknown[] = [companyId]) => (await pool.query(text, values)).rows as Row[]
    /** A command of a worker that may be killed before it commits. */
    const command = (act: (scope: Scope) => Promise<unknown>, risk = 0.25, overrides: Partial<Scope> = {}) =>
      database
        .command(overrides, async (scope) => {
          await act({ ...scope, now })
          if (chance() < risk) throw new Error('killed')
        })
        .catch((error: Error) => assert.equal(error.message, 'killed'))
    const signal = new AbortController().signal

    /** Runs the jobs that wait, each by two workers; a job whose worker died waits for the next day. */
    const work = async (risk: number): Promise<void> => {
      const jobs = await rows<{ name: string; key: string }>(
        `select name, key from platform.job where name like 'credit.%' and $1::uuid is not null order by name, key`,
      )
      for (const { name, key } of jobs)
        for (let worker = 0; worker < 2; worker++) {
          const done = (act: (scope: JobScope) => Promise<void>) =>
            command(async (scope) => {
              await act(scope)
              await scope.db.run({ name: 'test.job-done', text: 'delete from platform.job where name = $1 and key = $2' }, [name, key])
            }, risk)
          const responded = <Value>(call: Promise<Value>) => call.then((seen) => ({ seen })).catch(() => null)
          if (name === 'credit.register-mandate') {
            const answer = await responded(registerMandate({ db, signal }, key))
            if (answer) await done((scope) => keepRegistered(scope, key, answer.seen))
            continue
          }
          if (name === 'credit.end-mandate') {
            if (await responded(reportEnd({ db, signal }, key))) await done(async () => undefined)
            continue
          }
          if (name === 'credit.collect-debit') {
            const answer = await responded(collectDebit({ db, signal, now }, key))
            if (answer) await done(async (scope) => void (answer.seen && (await followDebit(scope, answer.seen))))
            continue
          }
          if (name === 'credit.remind' || name === 'credit.look-up-claim') {
            const seen = await provider.invoice('', { claimId: key } as Parameters<CreditProvider['invoice']>[1], { key }).catch(() => null)
            const follow = async (scope: JobScope) => void (seen && (await followClaim(scope, seen)))
            if (seen) await done(name === 'credit.remind' ? (scope) => remind(scope, seen) : follow)
            continue
          }
          if (name === 'credit.remind-statement') {
            const answer = await responded(askBeforeStatementReminder({ db, signal, now }, key))
            if (answer) await done((scope) => remindStatement(scope, key, answer.seen))
            continue
          }
          const seen = await collect({ db, signal }, key, newId()).catch(() => null)
          if (seen) await done((scope) => keepStatement(scope, key, seen))
        }
    }

    const ship = async (): Promise<void> => {
      const [id, paymentId] = [newId(), newId()]
      // Some parcels are reported days after their invoice.
      const issuedOn = addDays(today(), chance() < 0.2 ? -3 : 0)
      const claim: Known = {
        claimId: id,
        reference: `claim-${id}`,
        dueOn: addDays(issuedOn, 30),
        credited: 0,
        repaid: 0,
        reversed: 0,
        amount: 100 + Math.floor(chance() * 90_000),
        collection: null,
      }
      claims.set(id, claim)
      const { reference, dueOn, credited, repaid, reversed, amount } = claim
      const of = { paymentId, customerOrderId: `O-${id}`, sellerOrderId: `O-${id}-1`, companyId, customerId: company.principal.id }
      const site = { market: 'de', mode: 'b2b', origin: 'http://pro.de.localhost', currency: 'EUR' } as const
      await writeClaim(db, {
        id,
        number: `S1-${id}`,
        ...of,
        ...site,
        amount,
        credited,
        repaid,
        reversed,
        reference,
        refused: null,
        issuedOn,
        dueOn,
      })
    }

    // The company pays what it was sent, also what is to be collected later: a statement as it was printed, and an invoice of its own once
    // it is reminded of it. What it transfers while a debit is under way comes back.
    const isCollected = (statementId: string | null) => ['submitted', 'settled'].includes(debits.get(statementId ?? '')?.state ?? '')
    const paid = new Set<string>()
    const pay = async (): Promise<void> => {
      const statements = await rows<{
        id: string
        document: { lines: { id: string; amount: number; credited: number; repaid: number }[] }
      }>('select id, document from credit.statement where company_id = $1 and document is not null')
      for (const { id, document } of statements)
        if (!paid.has(id) && !isCollected(id) && chance() < 0.02) {
          paid.add(id)
          for (const line of document.lines) if (!paid.has(line.id)) repay(line.id, line.amount - line.credited - line.repaid)
        }
      for (const { id } of await rows<{ id: string }>('select id from credit.claim where company_id = $1 and reminders > 0'))
        if (!paid.has(id) && !isCollected(claims.get(id)?.collection ?? null) && chance() < 0.05) {
          paid.add(id)
          repay(id, openOf(claims.get(id) ?? assert.fail()))
        }
    }
    const repay = (id: string, amount: number): void => {
      const claim = claims.get(id) ?? assert.fail()
      claim.repaid += amount
    }

    // Mandates are given and revoked, some for accounts that do not exist; the banks' reports arrive late, twice or never.
    const reports: ProviderDebit[] = []
    const mandate = async (): Promise<void> => {
      const iban = chance() < 0.15 ? 'DE94370400440532013007' : 'DE89370400440532013000'
      const dice = chance()
      // A signer each, because one may give ten an hour.
      const signer = { ...company, principal: { ...company.principal, id: newId() } }
      if (dice < 0.05) await command((scope) => giveMandate(scope, { holder: 'Lee Bau', iban, isAgreed: true }), 0.25, signer)
      else if (dice < 0.058) await command(revokeMandate, 0.25, company)
    }
    const hear = async (isOver: boolean): Promise<void> => {
      reports.push(...settle(isOver).map(showDebit))
      for (const report of reports) if (chance() < 0.1) await command((scope) => followDebit(scope, report))
      reports.splice(0, Math.max(0, reports.length - 5))
    }

    // Whatever the company is reminded of on a day is open at the provider, which knows payments that the shop never heard of.
    const known = new Set<string>()
    const checkReminders = async (): Promise<void> => {
      const sent = await rows<{ key: string }>(`select key from mail.mail where recipient = $1 and template like 'credit-%reminder'`, [
        company.principal.email,
      ])
      for (const { key } of sent.filter((mail) => !known.has(mail.key))) {
        known.add(key)
        const [, id = ''] = key.split(':')
        const of = key.startsWith('statement') ? (collections.get(id) ?? assert.fail(key)) : [id]
        const open = of.reduce((sum, claimId) => sum + openOf(claims.get(claimId) ?? assert.fail(key)), 0)
        assert.ok(open > 0, `${key} on ${today()}: what is paid is reminded of no more`)
      }
    }

    await database.command(company, (scope) => chooseStatements({ ...scope, now }, true))
    for (let day = 0; day < years + runOut; day++) {
      now = new Date(start + day * dayMs + Math.floor(chance() * 10) * 3_600_000)
      const isOver = day >= years
      if (!isOver && chance() < 0.3) await ship()
      if (!isOver && chance() < 0.02) await database.command(company, (scope) => chooseStatements({ ...scope, now }, chance() < 0.8))
      // Part of a delivery comes back.
      const open = [...claims.values()].filter(({ amount, repaid }) => repaid === 0 && amount > 200)
      const returned = chance() < 0.02 ? open.at(Math.floor(chance() * open.length)) : undefined
      if (returned && returned.collection === null) returned.credited = Math.floor(returned.amount / 3)
      if (!isOver) await pay()
      if (!isOver) await mandate()
      await hear(isOver)
      // The worker is down for some days.
      if (!isOver && chance() < 0.1) continue
      const risk = isOver ? 0 : 0.25
      for (const plan of [openStatements, planReminders, planStatementReminders, planDebits]) await command(plan, risk)
      await work(risk)
      await checkReminders()
    }
    // A last look at each claim: what was paid is known, though its message was lost.
    for (let round = 0; round < 30; round++) {
      await command(planLookUps, 0)
      await work(0)
    }

    assert.deepEqual(await checkCompanies(pool, { now }), [])
    const seen = await rows<{
      id: string
      amount: number
      issued: string
      due: string
      reminders: number
      statement: string | null
      asked: number
    }>(
      `select c.id, c.amount, c.issued_on::text as issued, c.due_on::text as due, c.reminders, s.id as statement, coalesce(s.reminders, 0) as asked
       from credit.claim c left join credit.statement_claim sc on sc.claim_id = c.id left join credit.statement s on s.id = sc.statement_id
       where c.company_id = $1`,
    )
    const documents = await rows<{ id: string; month: string; due: string; lines: { id: string; amount: number }[] | null }>(
      `select id, month, due_on::text as due, document -> 'lines' as lines from credit.statement where company_id = $1`,
    )
    assert.ok(seen.length >= 150 && documents.length >= 10, `the years are lived: ${seen.length} invoices, ${documents.length} statements`)
    assert.ok(seen.some(({ statement }) => statement === null) && paid.size > 20)
    assert.equal(new Set(documents.map(({ month }) => month)).size, documents.length, 'one statement a month')
    const printed = documents.flatMap(({ lines }) => (lines ?? assert.fail('every statement is issued')).map(({ id }) => id))
    assert.equal(new Set(printed).size, printed.length, 'an invoice is printed on one statement')
    assert.deepEqual(new Set(printed), new Set(seen.filter(({ statement }) => statement !== null).map(({ id }) => id)))
    for (const { id, amount, issued, due, reminders, asked } of seen) {
      const claim = claims.get(id) ?? assert.fail()
      assert.ok(claim.credited + claim.repaid - claim.reversed <= amount, 'nobody paid an invoice twice')
      assert.equal(due, claim.dueOn, 'shop and provider agree on the day')
      assert.ok(due >= addDays(issued, 30) && due <= addDays(issued, 60), `${issued} is due on ${due}`)
      const isOpen = openOf(claim) > 0
      // Ninety days without a pause: whatever is open was asked for three times, by itself or with its statement.
      if (isOpen)
        assert.ok(
          reminders === 3 || asked === 3,
          `an open invoice of ${issued}, due on ${due}, was reminded of ${reminders}/${asked} times`,
        )
    }
    const mails = await rows<{ key: string; template: string }>(
      `select key, template from mail.mail where recipient = $1 and template like 'credit-%'`,
      [company.principal.email],
    )
    const issued = mails.filter(({ template }) => template === 'credit-statement')
    assert.equal(issued.length, documents.length, 'a statement is sent once')
    const noted = await rows<{ sum: number }>('select sum(reminders)::int as sum from credit.statement where company_id = $1')
    const reminded = mails.filter(({ template }) => template.endsWith('reminder')).length
    assert.ok(
      reminded > 0 && reminded <= (noted[0]?.sum ?? 0) + seen.reduce((all, { reminders }) => all + reminders, 0),
      'each reminder is sent once',
    )

    // Direct debits: announced in time, collected once and under a mandate, and what came back was asked for again.
    const announced = await rows<{
      id: string
      state: string
      amount: number
      collected: number | null
      on: string
      told: string
      reference: string
      ended: string | null
    }>(
      `select d.statement_id as id, d.state, d.amount, d.collected, d.collect_on::text as on, d.announced_at::date::text as told, m.reference,
         m.ended_at::date::text as ended
       from credit.debit d join credit.mandate m on m.id = d.mandate_id where m.company_id = $1`,
    )
    const inEnd = (state: string): number => [...debits.values()].filter((debit) => debit.state === state).length
    assert.ok(announced.length >= 5 && inEnd('settled') >= 2 && inEnd('returned') >= 1, `${announced.length} debits are lived`)
    for (const { id, state, amount, collected, on, told, ended } of announced) {
      const debit = debits.get(id)
      assert.ok(on >= addDays(told, 14), 'a debit is announced fourteen days before')
      if (!debit) {
        assert.equal(state, 'dropped', 'a debit that the provider never had was given up')
        continue
      }
      assert.equal(state, debit.state === 'canceled' ? 'dropped' : debit.state, 'shop and provider agree on the debit')
      assert.ok(debit.submittedOn >= on && debit.amount <= amount && collected === debit.amount)
      if (debit.state !== 'canceled') assert.ok(ended === null || ended >= debit.submittedOn, 'only under a mandate')
    }
    assert.deepEqual(new Set(debits.keys()), new Set(announced.filter(({ id }) => debits.has(id)).map(({ id }) => id)))
    const failed = announced.filter(({ state }) => state === 'returned').map(({ id }) => `debit:${id}:${company.principal.id}`)
    const told = mails.filter(({ template }) => template === 'credit-debit-failed').map(({ key }) => key)
    assert.equal(new Set(told).size, told.length)
    // Unless the company has paid by the time the bank's report arrives.
    for (const key of failed) {
      const owed = seen.filter(({ statement }) => key.startsWith(`debit:${statement}:`))
      assert.ok(told.includes(key) || owed.every(({ id }) => openOf(claims.get(id) ?? assert.fail()) === 0), 'a returned debit is told')
    }
    const net = await rows<{ id: string; repaid: number }>('select id, repaid - reversed as repaid from credit.claim where company_id = $1')
    for (const { id, repaid } of net)
      assert.equal(repaid, (claims.get(id)?.repaid ?? 0) - (claims.get(id)?.reversed ?? 0), 'the shop knows what was paid')
  })
