import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channel } from 'node:diagnostics_channel'
import { forgetSwitches, setFlag } from '#flags'
import { newId, type JobScope } from '#platform'
import { addDays } from '#pricing'
import { testDatabase } from '#platform/testing'
import type { CreditProvider, ProviderClaim } from '../payments/credit-provider.ts'
import { useCreditProvider } from '../payments/settings.ts'
import { chooseStatements } from './choose-statements.ts'
import { collect, keepStatement, openStatements } from './issue-statements.ts'
import { planStatementReminders, remindStatement } from './remind-statement.ts'
import { planReminders, remind } from './remind.ts'
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

/** A provider whose responses are lost after their effect, and which refuses no payment, not even a second one. */
function unreliableProvider(chance: () => number) {
  const claims = new Map<string, Known>()
  const show = ({ claimId, reference, dueOn, credited, repaid }: Known): ProviderClaim => ({ claimId, reference, dueOn, credited, repaid })
  const find = (id: string): Known => claims.get(id) ?? assert.fail(`unknown claim ${id}`)
  const lose = <Value>(value: Value): Value => {
    if (chance() < 0.15) throw new Error('The response was lost')
    return value
  }
  const collections = new Map<string, readonly string[]>()
  const no = () => assert.fail('not expected')
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
    requestCredit: no,
    capture: no,
    void: no,
    retrieve: no,
    refund: no,
    retrieveLimit: no,
    verifyMessage: no,
  }
  return { provider, claims }
}

const start = Date.UTC(2026, 0, 15, 9)
const dayMs = 86_400_000
const years = 730
/** For everything that was interrupted, and the last reminders. */
const runOut = 90

// One pair of years takes ten seconds: `SEED=70003 npm test -- credit/two-years` lives others.
for (const seed of [Number(process.env['SEED'] ?? 11)])
  test(`R-079 two years by the clock with lost responses, killed workers and days of standstill: each invoice is asked for once, and until it is paid (seed ${seed})`, async () => {
    channel('purlin:job').publish({})
    const chance = random(seed)
    const { provider, claims } = unreliableProvider(chance)
    useCreditProvider(provider)
    const company = await addBuyer(db, 'GB100000003')
    const { id: companyId } = company.principal.company
    let now = new Date(start)
    const today = () => now.toISOString().slice(0, 10)
    const rows = async <Row>(text: string, values: unknown[] = [companyId]) => (await pool.query(text, values)).rows as Row[]
    /** A command of a worker that may be killed before it commits. */
    const command = (act: (scope: JobScope) => Promise<void>, risk = 0.25) =>
      database
        .command({}, async (scope) => {
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
          if (name === 'credit.remind') {
            const seen = await provider.invoice('', { claimId: key } as Parameters<CreditProvider['invoice']>[1], { key }).catch(() => null)
            if (seen) await done((scope) => remind(scope, seen))
            continue
          }
          const seen = await collect({ db, signal }, key, newId()).catch(() => null)
          if (seen) await done((scope) => (name === 'credit.issue-statement' ? keepStatement : remindStatement)(scope, key, seen))
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
        amount: 100 + Math.floor(chance() * 90_000),
        collection: null,
      }
      claims.set(id, claim)
      const { reference, dueOn, credited, repaid, amount } = claim
      const of = { paymentId, customerOrderId: `O-${id}`, sellerOrderId: `O-${id}-1`, companyId, customerId: company.principal.id }
      const site = { market: 'gb', mode: 'b2b', origin: 'http://pro.gb.localhost', currency: 'GBP' } as const
      await writeClaim(db, { id, number: `S1-${id}`, ...of, ...site, amount, credited, repaid, reference, refused: null, issuedOn, dueOn })
    }

    // The company pays what it was sent: a statement as it was printed, and an invoice of its own once it is reminded of it.
    const paid = new Set<string>()
    const pay = async (): Promise<void> => {
      const statements = await rows<{
        id: string
        document: { lines: { id: string; amount: number; credited: number; repaid: number }[] }
      }>('select id, document from credit.statement where company_id = $1 and document is not null')
      for (const { id, document } of statements)
        if (!paid.has(id) && chance() < 0.02) {
          paid.add(id)
          for (const line of document.lines) repay(line.id, line.amount - line.credited - line.repaid)
        }
      for (const { id } of await rows<{ id: string }>('select id from credit.claim where company_id = $1 and reminders > 0'))
        if (!paid.has(id) && chance() < 0.05) {
          paid.add(id)
          const { amount, credited, repaid } = claims.get(id) ?? assert.fail()
          repay(id, amount - credited - repaid)
        }
    }
    const repay = (id: string, amount: number): void => {
      const claim = claims.get(id) ?? assert.fail()
      claim.repaid += amount
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
      // The worker is down for some days.
      if (!isOver && chance() < 0.1) continue
      const risk = isOver ? 0 : 0.25
      for (const plan of [openStatements, planReminders, planStatementReminders]) await command(plan, risk)
      await work(risk)
    }

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
      assert.ok(claim.credited + claim.repaid <= amount, 'nobody paid an invoice twice')
      assert.equal(due, claim.dueOn, 'shop and provider agree on the day')
      assert.ok(due >= addDays(issued, 30) && due <= addDays(issued, 60), `${issued} is due on ${due}`)
      const isOpen = claim.credited + claim.repaid < amount
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
    const reminded = mails.length - issued.length
    assert.ok(
      reminded > 0 && reminded <= (noted[0]?.sum ?? 0) + seen.reduce((all, { reminders }) => all + reminders, 0),
      'each reminder is sent once',
    )
  })
