import { tabTo, tabUntil } from './keyboard.ts'
import type { Locator } from 'playwright-core'
import type { Visitor } from './visitor.ts'

/** How a visitor fills in forms: by keyboard alone or, without scripts, by pointer. */
export interface Way {
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>
  /** Chooses one of a group of radio buttons, by its place. */
  choose(name: string, place: number): Promise<void>
  follow(link: Locator): Promise<void>
  /** Sends a form by its button or, by keyboard, with Enter in the field that has the focus, and waits for the response. */
  send(button: Locator): Promise<void>
}

export function byKeyboard(visitor: Visitor): Way {
  const { page } = visitor
  const { keyboard } = page
  const choices = (name: string) => page.locator(`main input[name="${name}"]`)
  return {
    write: async (field, text) => {
      await tabTo(visitor, field)
      await keyboard.press('ControlOrMeta+A')
      await keyboard.type(text)
    },
    choose: async (name, place) => {
      const isThere = () => choices(name).evaluateAll((all) => all.includes(document.activeElement as HTMLInputElement))
      await tabUntil(visitor, isThere, name)
      const [at, count] = await choices(name).evaluateAll(
        (all) => [all.indexOf(document.activeElement as HTMLInputElement), all.length] as const,
      )
      await keyboard.press('Space')
      for (let steps = (place - at + count) % count; steps > 0; steps--) await keyboard.press('ArrowDown')
    },
    follow: async (link) => {
      await tabTo(visitor, link)
      await keyboard.press('Enter')
    },
    send: (button) =>
      awaitPage(visitor, async () => {
        if (!(await page.evaluate(() => document.activeElement instanceof HTMLInputElement))) await tabTo(visitor, button)
        await keyboard.press('Enter')
      }),
  }
}

export function byPointer(visitor: Visitor): Way {
  return {
    write: (field, text) => field.fill(text),
    choose: (name, place) => visitor.page.locator(`main input[name="${name}"]`).nth(place).check(),
    follow: (link) => link.click(),
    send: (button) => awaitPage(visitor, () => button.click()),
  }
}

async function awaitPage({ page }: Visitor, send: () => Promise<void>): Promise<void> {
  const isSent = page.waitForEvent('load')
  await send()
  await isSent
}

/** Lets the forms of the page be sent without the browser's own checks. */
export async function withoutBrowserChecks({ page }: Visitor): Promise<void> {
  await page.locator('main form').evaluateAll((forms: HTMLFormElement[]) => forms.forEach((form) => (form.noValidate = true)))
}
