import { putFile } from '#files'
import { settings, type LongContext } from '#platform'
import { openBank } from './bank-account.ts'
import { bytesOf } from './statement.ts'
import { readRequested, sumRequested, type Run } from './payout-store.ts'

export interface Transfer {
  /** Up to 35 characters; banks quote it back. */
  endToEndId: string
  /** Minor units, as text: sums are larger than a float. */
  amount: string
  holder: string
  iban: string
  remittance: string
}
export interface SepaHead {
  messageId: string
  createdAt: Date
  /** "2026-11-23" */
  executeOn: string
  debtor: { name: string; iban: string }
  count: number
  /** Minor units. */
  sum: string
}

/** Letters, digits and signs every bank takes (EPC 217-08); others lose their accents or become dots. */
export function sepaText(text: string, longest: number): string {
  const plain = text
    .replaceAll('ß', 'ss')
    .replace(/[æÆ]/g, 'ae')
    .replace(/[œŒ]/g, 'oe')
    .replace(/[øØ]/g, 'o')
    .replaceAll('&', '+')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.')
    .replace(/\s+/g, ' ')
    .trim()
  // Identifiers and texts neither begin with a slash nor contain two.
  return (
    plain
      .replace(/\/{2,}/g, '/')
      .replace(/^\/+/, '')
      .slice(0, longest)
      .trim() || 'NOTPROVIDED'
  )
}

const euros = (minor: string): string => `${minor.padStart(3, '0').slice(0, -2)}.${minor.padStart(3, '0').slice(-2)}`
const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const at = (tag: string, text: string): string => `<${tag}>${xmlText(text)}</${tag}>`

/** Customer credit transfers for the bank: pain.001.001.09 as the EPC's rulebook wants it, one payment information, piece by piece. */
export async function* painLines(head: SepaHead, transfers: AsyncIterable<Transfer> | Iterable<Transfer>): AsyncGenerator<string> {
  const { messageId, createdAt, executeOn, debtor, count, sum } = head
  const name = at('Nm', sepaText(debtor.name, 70))
  const sums = at('NbOfTxs', String(count)) + at('CtrlSum', euros(sum))
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>'
  yield `<GrpHdr>${at('MsgId', messageId)}${at('CreDtTm', createdAt.toISOString().slice(0, 19) + 'Z')}${sums}<InitgPty>${name}</InitgPty></GrpHdr>`
  yield `<PmtInf>${at('PmtInfId', messageId)}${at('PmtMtd', 'TRF')}${at('BtchBookg', 'true')}${sums}<PmtTpInf><SvcLvl>${at('Cd', 'SEPA')}</SvcLvl></PmtTpInf>`
  yield `<ReqdExctnDt>${at('Dt', executeOn)}</ReqdExctnDt><Dbtr>${name}</Dbtr><DbtrAcct><Id>${at('IBAN', debtor.iban)}</Id></DbtrAcct>`
  yield `<DbtrAgt><FinInstnId><Othr>${at('Id', 'NOTPROVIDED')}</Othr></FinInstnId></DbtrAgt>${at('ChrgBr', 'SLEV')}\n`
  for await (const { endToEndId, amount, holder, iban, remittance } of transfers)
    yield (
      `<CdtTrfTxInf><PmtId>${at('EndToEndId', sepaText(endToEndId, 35))}</PmtId><Amt><InstdAmt Ccy="EUR">${euros(amount)}</InstdAmt></Amt>` +
        `<Cdtr>${at('Nm', sepaText(holder, 70))}</Cdtr><CdtrAcct><Id>${at('IBAN', iban)}</Id></CdtrAcct>` +
        `<RmtInf>${at('Ustrd', sepaText(remittance, 140))}</RmtInf></CdtTrfTxInf>\n`
    )
  yield '</PmtInf></CstmrCdtTrfInitn></Document>\n'
}

const page = 200

async function* transfersOf({ db }: LongContext, run: Run): AsyncGenerator<Transfer> {
  let after = '0'
  for (let rows = await readRequested(db, run.id, after, page); rows.length > 0; rows = await readRequested(db, run.id, after, page)) {
    for (const { id, number, amount, bank } of rows) {
      const to = openBank(id, bank)
      if (!('iban' in to)) throw new Error(`Payout ${number} is in euros and has no IBAN`)
      yield {
        endToEndId: `PAYOUT-${number}`,
        amount,
        holder: to.holder,
        iban: to.iban,
        remittance: `${settings().operator.name} payout ${number}`,
      }
      after = number
    }
  }
}

/** Writes the payouts of a run into a file for the bank. Returns its key; null when nothing is to be paid. */
export async function putSepaFile(context: LongContext, run: Run): Promise<string | null> {
  const { count, amount } = await sumRequested(context.db, run.id)
  if (count === 0) return null
  const { name, iban } = settings().operator
  const messageId = `PURLIN-${run.id.replaceAll('-', '').slice(0, 26)}`
  const executeOn = context.now.toISOString().slice(0, 10)
  const lines = painLines(
    { messageId, createdAt: context.now, executeOn, debtor: { name, iban }, count, sum: amount },
    transfersOf(context, run),
  )
  const put = await putFile(context.db.alone, bytesOf(lines), {
    kind: 'payout',
    owner: `payout-run:${run.id}`,
    type: 'application/xml',
    name: `${messageId}.xml`,
  })
  if (!put.ok) throw new Error(`The object store refused a file for the bank: ${put.reason}`)
  return put.file.key
}
