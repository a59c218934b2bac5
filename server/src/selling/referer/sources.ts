import type { Channel } from '@purlin/contract/channels.ts'

export interface Source {
  channel: Channel
  name: string
}

/**
 * Hosts that lead to shops, by channel and name: those below a host count like it unless they are listed themselves, and `.*`
 * stands for any country or `.com`. Kept by hand: the public lists are under licences that ask for ours.
 */
const hosts: Partial<Record<Channel, Readonly<Record<string, string>>>> = {
  organic: {
    google: 'google.*',
    bing: 'bing.com',
    duckduckgo: 'duckduckgo.com',
    yahoo: 'search.yahoo.*',
    ecosia: 'ecosia.org',
    qwant: 'qwant.com',
    startpage: 'startpage.com',
    brave: 'search.brave.com',
    yandex: 'yandex.* ya.ru',
    baidu: 'baidu.com',
    aol: 'search.aol.*',
    ask: 'ask.com',
    mojeek: 'mojeek.com',
    swisscows: 'swisscows.com',
    kagi: 'kagi.com',
    lilo: 'lilo.org',
    metager: 'metager.de metager.org',
    'web.de': 'suche.web.de',
    gmx: 'suche.gmx.* search.gmx.*',
    't-online': 'suche.t-online.de',
    freenet: 'suche.freenet.de',
    orange: 'lemoteur.orange.fr',
    free: 'recherche.free.fr',
    sfr: 'recherche.sfr.fr',
    libero: 'ricerca.libero.it arianna.libero.it',
    virgilio: 'ricerca.virgilio.it',
    tiscali: 'search.tiscali.it',
    terra: 'buscador.terra.es',
    karmasearch: 'karmasearch.org',
  },
  social: {
    facebook: 'facebook.com fb.com fb.me',
    messenger: 'messenger.com m.me',
    instagram: 'instagram.com',
    threads: 'threads.net threads.com',
    pinterest: 'pinterest.* pin.it',
    tiktok: 'tiktok.com',
    youtube: 'youtube.com youtu.be youtube-nocookie.com',
    x: 'x.com twitter.com t.co',
    linkedin: 'linkedin.com lnkd.in',
    xing: 'xing.com',
    reddit: 'reddit.com redd.it',
    snapchat: 'snapchat.com',
    whatsapp: 'whatsapp.com wa.me',
    telegram: 'telegram.org telegram.me t.me',
    discord: 'discord.com discord.gg',
    bluesky: 'bsky.app go.bsky.app',
    mastodon: 'mastodon.social mastodon.online',
    tumblr: 'tumblr.com t.umblr.com',
    vk: 'vk.com',
    quora: 'quora.com',
    nextdoor: 'nextdoor.*',
    houzz: 'houzz.*',
    gutefrage: 'gutefrage.net',
  },
  email: {
    gmail: 'mail.google.com',
    outlook: 'outlook.live.com outlook.office.com outlook.office365.com outlook.com hotmail.com safelinks.protection.outlook.com',
    yahoo: 'mail.yahoo.*',
    'web.de': 'deref-web.* deref-web-02.* navigator.web.de 3c.web.de lightmailer.web.de mail.web.de freemailng.web.de',
    gmx: 'deref-gmx.* navigator.gmx.* 3c.gmx.* lightmailer.gmx.* mail.gmx.*',
    'mail.com': 'deref-mail.com navigator.mail.com 3c.mail.com lightmailer.mail.com',
    '1und1': 'deref-1und1.de mail.1und1.de',
    ionos: 'mail.ionos.* email.ionos.* webmailer.ionos.*',
    't-online': 'email.t-online.de',
    freenet: 'webmail.freenet.de mail.freenet.de email.freenet.de',
    posteo: 'posteo.de',
    'mailbox.org': 'mailbox.org',
    orange: 'messagerie.orange.fr mail.orange.fr mail01.orange.fr mail02.orange.fr webmail.orange.fr',
    laposte: 'webmail.laposte.net laposte.net',
    free: 'webmail.free.fr zimbra.free.fr',
    sfr: 'messagerie.sfr.fr webmail.sfr.fr',
    bouygues: 'webmail.bbox.fr',
    libero: 'mail.libero.it mail1.libero.it posta.libero.it webmail.libero.it',
    virgilio: 'mail.virgilio.it mail1.virgilio.it',
    tiscali: 'mail.tiscali.it',
    tim: 'mail.tim.it',
    aruba: 'webmail.aruba.it webmail.pec.it',
    movistar: 'correo.movistar.es',
    bt: 'email.bt.com',
    sky: 'mail.sky.com',
    aol: 'mail.aol.*',
    proton: 'mail.proton.me mail.protonmail.com',
    icloud: 'www.icloud.com icloud.com',
    zoho: 'mail.zoho.*',
    fastmail: 'fastmail.com',
    tutanota: 'app.tuta.com mail.tutanota.com',
  },
  assistant: {
    chatgpt: 'chatgpt.com chat.openai.com',
    perplexity: 'perplexity.ai',
    gemini: 'gemini.google.com bard.google.com',
    copilot: 'copilot.microsoft.com copilot.com copilot.cloud.microsoft m365.cloud.microsoft edgeservices.bing.com',
    claude: 'claude.ai',
    mistral: 'chat.mistral.ai',
    deepseek: 'chat.deepseek.com',
    meta: 'meta.ai',
    grok: 'grok.com',
    you: 'you.com',
    phind: 'phind.com',
    poe: 'poe.com',
  },
  comparison: {
    idealo: 'idealo.*',
    'google-shopping': 'shopping.google.*',
    billiger: 'billiger.de',
    guenstiger: 'guenstiger.de',
    preis: 'preis.de',
    preisvergleich: 'preisvergleich.de',
    geizhals: 'geizhals.* geizhals.eu',
    check24: 'check24.de',
    moebel: 'moebel.de',
    ladenzeile: 'ladenzeile.de',
    mydealz: 'mydealz.de',
    kelkoo: 'kelkoo.*',
    twenga: 'twenga.*',
    ledenicheur: 'ledenicheur.fr',
    leguide: 'leguide.com',
    dealabs: 'dealabs.com',
    pricerunner: 'pricerunner.*',
    pricespy: 'pricespy.co.uk',
    priceminister: 'shopping.rakuten.com',
    hotukdeals: 'hotukdeals.com',
    trovaprezzi: 'trovaprezzi.it',
    pepper: 'pepper.it',
    chollometro: 'chollometro.com',
    shopalike: 'shopalike.*',
  },
  portal: {
    'web.de': 'web.de',
    gmx: 'gmx.*',
    'mail.com': 'mail.com',
    't-online': 't-online.de',
    freenet: 'freenet.de',
    '1und1': '1und1.de',
    orange: 'orange.*',
    free: 'www.free.fr portail.free.fr',
    sfr: 'sfr.fr',
    yahoo: 'yahoo.*',
    libero: 'libero.it',
    virgilio: 'virgilio.it',
    tiscali: 'tiscali.it',
    terra: 'terra.es',
    msn: 'msn.com',
    bt: 'bt.com',
    aol: 'aol.*',
    flipboard: 'flipboard.com',
    'google-news': 'news.google.*',
    'google-discover': 'discover.google.com',
  },
  referral: {
    'google-docs': 'docs.google.com drive.google.com sites.google.com',
  },
  // Pages on the way through the checkout and the sign-in: whoever comes back from there has not arrived anew.
  internal: {
    google: 'accounts.google.com pay.google.com',
    apple: 'appleid.apple.com',
    paypal: 'paypal.com',
    klarna: 'pay.klarna.com payments.klarna.com login.klarna.com',
    stripe: 'stripe.com',
  },
}

/** Apps of Android name themselves. */
const apps: Readonly<Record<string, Source>> = {
  'com.google.android.gm': { channel: 'email', name: 'gmail' },
  'com.google.android.googlequicksearchbox': { channel: 'organic', name: 'google' },
  'com.microsoft.office.outlook': { channel: 'email', name: 'outlook' },
  'de.web.mobile.android.mail': { channel: 'email', name: 'web.de' },
  'de.gmx.mobile.android.mail': { channel: 'email', name: 'gmx' },
  'com.pinterest': { channel: 'social', name: 'pinterest' },
  'com.facebook.katana': { channel: 'social', name: 'facebook' },
  'com.linkedin.android': { channel: 'social', name: 'linkedin' },
  'com.reddit.frontpage': { channel: 'social', name: 'reddit' },
  'org.telegram.messenger': { channel: 'social', name: 'telegram' },
  'com.openai.chatgpt': { channel: 'assistant', name: 'chatgpt' },
}

const byHost = new Map<string, Source>(
  Object.entries(hosts).flatMap(([channel, named]) =>
    Object.entries(named).flatMap(([name, all]) =>
      all.split(' ').map((host): [string, Source] => [host, { channel: channel as Channel, name }]),
    ),
  ),
)

const country = /^(?:(?:com|co|org)\.)?[a-z]{2}$|^(?:com|net|org)$/

/** The source behind a host; undefined for one that is not listed. The longest listed host counts. */
export function sourceOf(host: string): Source | undefined {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const rest = labels.slice(from)
    const known = byHost.get(rest.join('.'))
    if (known) return known
    for (let end = 1; end < rest.length; end++) {
      if (!country.test(rest.slice(end).join('.'))) continue
      const anyCountry = byHost.get(`${rest.slice(0, end).join('.')}.*`)
      if (anyCountry) return anyCountry
    }
  }
  return undefined
}

export const sourceOfApp = (id: string): Source | undefined => apps[id]
