import { log, type JobScope } from '#platform'
import type { Credential } from './credential.ts'
import {
  profileContent,
  requestOf,
  responseDocument,
  senderOf,
  setupContent,
  type CxmlRequest,
  type CxmlStatus,
  type Envelope,
} from './cxml.ts'
import { admit, mayCall, openVisit, type Place } from './open-visit.ts'
import { takeOrder } from './take-order.ts'
import { parseXml } from './xml.ts'

interface From {
  site: Place
  envelope: Envelope
  /** Of this door, for the profile. */
  address: string
  ip: string
}

/** Runs an operation as one command. */
type AsCommand = <Value>(operation: (scope: JobScope) => Promise<Value>) => Promise<Value>

type Answer = { code: CxmlStatus; detail?: string; content?: string }

const waits = { approval: 'waits for an approval of the company', payment: 'waits until its invoice is accepted' } as const

const tooManyCalls: Answer = { code: 560, detail: 'Too many calls; try again in ten minutes' }

/** Answers a document of a purchasing system. What went wrong is in the status of the document, as the protocol has it. */
export async function answerCxml(asCommand: AsCommand, from: From, xml: string): Promise<string> {
  const answer = await answerTo(asCommand, from, xml).catch((error: unknown): Answer => {
    log.error({ err: error, payloadId: from.envelope.payloadId }, 'a cXML document could not be answered')
    return { code: 500, detail: 'Send the same document again' }
  })
  return responseDocument(from.envelope, answer.code, answer)
}

async function answerTo(asCommand: AsCommand, from: From, xml: string): Promise<Answer> {
  if (!(await mayCall(from.ip))) return tooManyCalls
  const document = parseXml(xml)
  if (document?.name !== 'cXML') return { code: 400, detail: 'This is no cXML document' }
  const { identity, secret } = senderOf(document)
  const { market, origin } = from.site
  const call = { market, origin, protocol: 'cxml' as const, identity, secret }
  const admitted = await asCommand((scope) => admit(scope, call))
  if (!admitted.ok)
    return admitted.reason === 'too-many-calls' ? tooManyCalls : { code: 401, detail: 'The sender or the shared secret is unknown' }
  return answerRequest(asCommand, from, admitted.credential, requestOf(document))
}

async function answerRequest(
  asCommand: AsCommand,
  { site, envelope, address }: From,
  credential: Credential,
  asked: CxmlRequest,
): Promise<Answer> {
  if (asked.kind === 'profile') return { code: 200, content: profileContent(envelope, address) }
  if (asked.kind === 'other') return { code: 450, detail: `${asked.name || 'The request'} is not supported` }
  if (asked.kind === 'setup') {
    const { operation, buyerCookie, postUrl, buyer, items } = asked.request
    if (operation !== 'create' && operation !== 'edit') return { code: 450, detail: 'Supported operations are create and edit' }
    if (buyerCookie.length > 1000) return { code: 400, detail: 'BuyerCookie is too long' }
    const visit = { hookUrl: postUrl, echoed: { buyerCookie }, buyer, items: operation === 'edit' ? items : [] }
    const url = await asCommand((scope) => openVisit(scope, site, credential, visit))
    if (url === null) return { code: 400, detail: 'The URL of BrowserFormPost must be an https address' }
    return { code: 200, content: setupContent(url) }
  }
  const taken = await asCommand((scope) => takeOrder(scope, site, credential, asked.request))
  if (!taken.ok) return { code: taken.code, detail: taken.detail }
  const { orderId, awaits } = taken
  // Sent again, the document is answered with what has become of the order.
  return awaits === null ? { code: 200, detail: `Order ${orderId}` } : { code: 201, detail: `Order ${orderId} ${waits[awaits]}` }
}
