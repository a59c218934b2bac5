import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { mailTo } from '../support/mailbox.ts'
import { startJourney } from '../support/journey.ts'

const journey = startJourney()

/** A photo as a browser encodes it, with a comment naming the location. */
async function photo(page: Page, type: string): Promise<Buffer> {
  const url = await page.evaluate((wanted) => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 200
    const context = canvas.getContext('2d')!
    for (let x = 0; x < 320; x += 20) {
      context.fillStyle = `hsl(${x} 80% 50%)`
      context.fillRect(x, 0, 20, 200)
    }
    return canvas.toDataURL(wanted, 0.9)
  }, type)
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

/** The centre colours of two pictures, as decoded by the browser. */
async function sizeAndColours(page: Page, bytes: Buffer, type: string): Promise<number[]> {
  return page.evaluate(
    async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob())
      const canvas = document.createElement('canvas')
      const context = canvas.getContext('2d')!
      canvas.width = image.width
      canvas.height = image.height
      context.drawImage(image, 0, 0)
      return [image.width, image.height, ...context.getImageData(0, 100, image.width, 1).data]
    },
    `data:${type};base64,${bytes.toString('base64')}`,
  )
}

const types = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

test('V-58 a photo attached to the contact form without JavaScript reaches the operator, looks the same and has lost its comment', async () => {
  const studio = await journey.visit({ market: 'gb', javaScript: true })
  await studio.page.goto('about:blank')
  const { page, t, origin, leave } = await journey.visit({ market: 'de', javaScript: false })
  await page.goto(`${origin}/contact`)
  const pictures = await Promise.all(
    Object.entries(types).map(async ([ending, mimeType]) => ({
      name: `Säge.${ending}`,
      mimeType,
      buffer: await photo(studio.page, mimeType),
    })),
  )
  const [first] = pictures
  const comment = Buffer.from('\xff\xfe\0\x14taken at home 51.5', 'latin1')
  first!.buffer = Buffer.concat([first!.buffer.subarray(0, 2), comment, first!.buffer.subarray(2)])

  // The first attempt is incomplete; the files need not be chosen again.
  await page.getByLabel(t('contact.name')).fill('Ada Beam')
  await page.getByLabel(t('contact.email')).fill('ada@buyer.example')
  await page.getByLabel(t('contact.message.text')).fill('  ')
  await page
    .getByLabel(t('contact.attachment'))
    .setInputFiles([...pictures, { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }])
  await page.getByRole('button', { name: t('contact.message.send') }).click()
  for (const { name } of pictures) await page.getByText(t('contact.attached', { name })).waitFor()
  await page.getByLabel(t('contact.message.text')).fill('Das Sägeblatt ist verbogen.')
  await page.getByRole('button', { name: t('contact.message.send') }).click()
  await page.getByText(t('flash.message-sent')).waitFor()

  const mail = await mailTo(journey.shop.origin, 'help@purlin.example')
  const links = [...mail.matchAll(/href="([^"]*\/uploads\/[^"]*)"/g)].map(([, link]) => link!.replaceAll('&#38;', '&'))
  assert.equal(links.length, 3)
  for (const [index, link] of links.entries()) {
    const { port } = new URL(journey.shop.origin)
    const address = new URL(link)
    const response = await fetch(`http://localhost:${port}${address.pathname}${address.search}`)
    assert.equal(response.status, 200)
    const kept = Buffer.from(await response.arrayBuffer())
    const type = response.headers.get('content-type') ?? ''
    const sent = pictures.find(({ mimeType }) => mimeType === type)
    assert.ok(sent, `${index}: ${type}`)
    assert.ok(!kept.includes('taken at home'))
    assert.deepEqual(await sizeAndColours(studio.page, kept, type), await sizeAndColours(studio.page, sent.buffer, type))
  }
  await Promise.all([leave(), studio.leave()])
})
