import { describe, expect, test } from 'vitest';
import { readIntent } from '../../src/answering/intent.ts';
import type { CorpusSettings } from '../../src/domain/events.ts';

const settings: CorpusSettings = {
  title: 'Town',
  description: null,
  languages: ['ru', 'kk', 'en'],
  styles: [],
  layers: [{ name: 'main', title: null, kind: 'text', visibility: 'public' }],
};

const kinds: Record<string, string[]> = {
  greeting: [
    'Привет всем!',
    'добрый день',
    'Здравствуйте, бот',
    'hi there',
    'Hello again :)',
    'How are you?',
    'Сәлем',
    'Сәлеметсіз бе!',
    'қайырлы таң',
  ],
  thanks: [
    'спасибо, всё понятно',
    'Спасибо большое за ответ, очень помогли!',
    'понятно, спасибо',
    'ок',
    'Отлично, больше вопросов нет',
    'супер, то что нужно',
    'thanks, that helps',
    'Thank you so much for your help!',
    'got it, thanks',
    'great answer',
    'рахмет, бәрі түсінікті',
    'Көп рахмет сізге!',
    'түсінікті',
  ],
  farewell: ['спасибо, до свидания', 'Ок, пока', 'thanks, bye', 'good night', 'рахмет, сау болыңыз'],
  insult: [
    'ты тупой',
    'вы идиоты, ничего не работает!',
    'Бесполезный бот',
    'какой глупый ответ',
    'полная чушь',
    'you are stupid',
    'What a useless bot!',
    'This is garbage, it does not work',
    'ақымақсың',
    'сен ақымақ ботсың',
  ],
  task: [
    'напиши стихотворение о мэре',
    'Сочини, пожалуйста, сказку про реку',
    'Можешь написать письмо мэру?',
    'расскажи анекдот',
    'переведи этот текст на английский',
    'реши уравнение',
    'write a poem about the river',
    'Please write me an essay on bridges',
    'can you write a song?',
    'tell me a joke',
    'translate this into Russian',
    'Өлең жаз',
    'мэр туралы өлең жазып берші',
    'мына мәтінді аударып бер',
  ],
  meta: ['Добрый день! Вы кто?', 'кто ты такой', 'Hello, who are you?', 'что ты умеешь?', 'Сіз кімсіз?'],
  ordinary: [
    'Понятно ли это судьям?',
    'Спасибо, а кто мэр?',
    'Можно ли называть судью идиотом?',
    'Какой штраф за слово «дурак»?',
    'Is it a crime to call the mayor an idiot?',
    'Как написать письмо мэру?',
    'Кто пишет программу города?',
    'How do I write a letter to the mayor?',
    'Who translates the charter?',
    'Расскажи о программе города',
    'Хорошо ли охраняется парк?',
    'Thanks to whom was the bridge built?',
    'Good evening school, when does it open?',
    'Өлең жазған кім?',
    'Жауап қанша күнде беріледі?',
  ],
};

describe.each(Object.entries(kinds))('%s', (kind, texts) => {
  test.each(texts)('%s', (text) => {
    expect(readIntent(text, settings).kind).toBe(kind);
  });
});
