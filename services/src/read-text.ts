import type { IncomingMessage } from 'node:http'

/** The body of a request as text. @throws when it is longer than `most` characters */
export async function readText(request: IncomingMessage, most: number): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += part
    if (text.length > most) throw new Error('too long')
  }
  return text
}
