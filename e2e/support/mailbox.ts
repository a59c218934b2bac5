import { onItsOwn } from './ask.ts'
import { patient } from './patience.ts'

/** The latest mail to an address in the embedded mailbox, as HTML, waiting a moment for it. @throws when none arrives */
export async function mailTo(origin: string, email: string): Promise<string> {
  for (const end = Date.now() + patient(20_000); Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 250))) {
    const [newest] = await mailsTo(origin, email)
    if (newest !== undefined) return (await fetch(`${origin}/dev/mailbox/${newest}/html`, onItsOwn)).text()
  }
  throw new Error(`No mail arrived for ${email}`)
}

/** The mail with this subject to an address, as HTML, waiting a moment for it. @throws when none arrives */
export async function mailAbout(origin: string, email: string, subject: string): Promise<string> {
  const wanted = plain(subject)
  for (const end = Date.now() + patient(40_000); Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 250))) {
    const list = await (await fetch(`${origin}/dev/mailbox?to=${encodeURIComponent(email)}`, onItsOwn)).text()
    for (const [, id, shown = ''] of list.matchAll(/href="\/dev\/mailbox\/([0-9a-f-]{36})"><strong>([^<]*)</g))
      if (plain(shown) === wanted) return (await fetch(`${origin}/dev/mailbox/${id}/html`, onItsOwn)).text()
  }
  throw new Error(`No mail to ${email} is about “${subject}”`)
}

/** Without character references, and with one kind of space. */
const plain = (html: string): string =>
  html.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll(/\s+/g, ' ')

/** Ids of the mails to an address, newest first. */
export async function mailsTo(origin: string, email: string): Promise<string[]> {
  const list = await fetch(`${origin}/dev/mailbox?to=${encodeURIComponent(email)}`, onItsOwn)
  if (!list.ok) return []
  return [...(await list.text()).matchAll(/href="\/dev\/mailbox\/([0-9a-f-]{36})"/g)].map(([, id]) => id!)
}

/** The link in the next mail to an address that has one, leaving out known mails. @throws when none arrives */
export async function linkIn(origin: string, email: string, pattern: RegExp, known: readonly string[] = []): Promise<string> {
  for (const end = Date.now() + patient(40_000); Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200))) {
    for (const id of (await mailsTo(origin, email)).filter((each) => !known.includes(each))) {
      const body = await (await fetch(`${origin}/dev/mailbox/${id}/html`, onItsOwn)).text()
      const [link] = pattern.exec(body) ?? []
      if (link !== undefined) return link.replaceAll('&amp;', '&')
    }
  }
  throw new Error(`No mail with a link arrived for ${email}`)
}
