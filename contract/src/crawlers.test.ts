import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCrawler } from './crawlers.ts'

const android = (device: string, rest: string) =>
  `Mozilla/5.0 (Linux; Android 14; ${device}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36${rest}`
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test('R-515 bots, fetchers of links and programs that are no browser are crawlers', () => {
  for (const agent of [
    undefined,
    '',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/140.0.0.0 Safari/537.36',
    'AdsBot-Google (+http://www.google.com/adsbot.html)',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
    'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2.24.10.85 A',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'curl/8.5.0',
    'python-requests/2.32.3',
    'Go-http-client/2.0',
  ])
    assert.equal(isCrawler(agent), true, agent ?? 'none')
})

test('R-515 people are no crawlers, whatever app their browser belongs to and whoever made their phone', () => {
  for (const agent of [
    android('Pixel 8', ''),
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    `${iphone} Version/18.5 Mobile/15E148 Safari/604.1`,
    `${iphone} Mobile/15E148 [Pinterest/iOS]`,
    android('SM-S921B', ' [Pinterest/Android]'),
    android('SM-S921B', ' Telegram-Android/11.13.2 (Samsung SM-S921B; Android 14; SDK 34; HIGH)'),
    android('CUBOT KINGKONG 9', ''),
    android('CUBOT_NOTE_50', ''),
    android('CUBOT', ''),
    `${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/500.0.0.0;FBDV/iPhone16,1]`,
    `${iphone} Mobile/15E148 Instagram 380.0.0.0 (iPhone16,1; iOS 18_5; en_GB)`,
  ])
    assert.equal(isCrawler(agent), false, agent)
})
