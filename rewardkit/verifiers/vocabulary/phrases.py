"""Words that join answers, hedge, deny or announce them, and phrases that are an answer."""

from rewardkit.verifiers.vocabulary.alternatives import SO
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, ORDINALS
from rewardkit.verifiers.vocabulary.patterns import phrases, words

CONNECTIVES = frozenset({"and", "or", "und", "oder", "et", "ou"})
"""Words between the parts of an answer."""
OR = frozenset({"or", "oder", "ou"})
OR_ELSEWHERE = frozenset(("oder", "ou", "o", "или", "或"))
JOINING_ELSEWHERE = OR_ELSEWHERE | {"und", "et", "y", "e", "и", "和"}
"""Words between the parts of an answer elsewhere; in a formula, one letter may be an unknown."""
NEGATIONS = frozenset(("not", "never", "nor", "neither", "cannot"))
DOUBTS = words("""maybe perhaps possibly probably presumably supposedly conceivably hopefully
    allegedly""")
DOUBTS_ELSEWHERE = phrases("""quizá, quizás, quizas, tal vez, peut-être, vielleicht, wahrscheinlich,
    forse, talvez, возможно, может быть, có lẽ, có thể, belki, mungkin, ربما, لعل,
    शायद, संभवतः""")
POSSIBILITIES = words("might could also alternatively otherwise guess option possibility") | {
    "or else"
}
"""Words that put one more answer beside another."""
CONTRASTS = frozenset(("but", "however", "although", "though", "actually", "wait", "instead"))
"""Words after which what was said before need not hold."""
CONDITIONS = frozenset(("if", "unless", "except"))
CONCLUSIONS = frozenset(SO.split("|"))
"""Words that begin the sentence of an answer."""
CONCLUSIONS_ELSEWHERE = frozenset(
    phrases("""donc, alors, ainsi, por tanto, por lo tanto, entonces, así, also, daher, somit,
        folglich, demnach, quindi, dunque, pertanto, portanto, então, logo, dus, итак,
        следовательно, поэтому""")
)
REASONS_ELSEWHERE = frozenset(
    phrases("""porque, ya que, puesto que, dado que, debido a que, parce que, parce qu'il, puisque,
        étant donné que, vu que, perché, poiché, siccome, dato che, visto che, weil, denn, já que,
        uma vez que, visto que, omdat, aangezien, ponieważ, gdyż, так как, потому что, поскольку,
        çünkü, karena, vì""")
)
"""Words that begin the reason of an answer elsewhere."""
CONTRASTS_ELSEWHERE = frozenset(
    phrases("""mientras que, aunque, en lugar de, en vez de, sin contar, alors que, tandis que,
        bien que, même si, au lieu de, sans compter, mentre, sebbene, anche se, invece di,
        senza contare, während, obwohl, anstatt, statt, ohne, enquanto, embora, em vez de,
        sem contar, terwijl, in plaats van, хотя, тогда как, вместо, nachdem, bevor, wenn, nach dem,
        après, avant, después de, antes de, dopo, prima di, depois de, после того как""")
)
"""Words that begin what an answer is set against elsewhere."""
FAULTS = words("""wrong incorrect invalid false impossible extraneous mistaken mistake misconception
    trap distractor typo misprint blunder absurd nonsense nonsensical contradictory implausible
    unreasonable bogus""")
"""What an answer is said to be that is none."""
HEDGES = words("""no either any some about almost unless except but wrong incorrect unknown other
    another else all every anything if isn least most more less than or candidate candidates guess
    guesses possibility possibilities options error mistake""").union(NEGATIONS, DOUBTS)
"""Words beside a value that make it less than an answer."""
REFERENCES = phrases("""exercise, question, problem, figure, equation, lemma, theorem, corollary,
    proposition, definition, remark, chapter, section, appendix, footnote, fig, eq""")
"""What a number numbers: `exercise 12` states no value."""
PARTS_OF_TEXTS = (
    *phrases("""page, part, line, paragraph, volume, lecture, note, table, example, hint, reference,
        step"""),
    *REFERENCES,
)
"""What a text has of its own, so that its number counts nothing of the task."""
STEPS_OF_PROOFS = phrases("""lemma, lemmas, theorem, theorems, corollary, corollaries, proposition,
    propositions, identity, identities, reference, references, citation, citations, footnote,
    footnotes, hint, hints, trick, tricks, axioms, definitions""")
"""What a proof makes use of, and no task asks the number of."""
COMPARATIVES = frozenset(("more", "less"))
"""Words that say how a count compares when they stand right after it: `10 more people`."""
ANSWER_NAMES = ("answer", "option", "choice", "result")
"""What a value is called that `is` leads to: `the answer is 7`."""
ANSWER_LABELS = phrases("""正确选项, 正确的, 正确的选项, 正确的说法, 正确的结论, 正确的命题,
    opción correcta, option correcte, opção correta,
    alternativa correta, opzione corretta, réponse, respuesta, resposta, antwort, lösung, risposta,
    antwoord, odpowiedź, odpověď, sagot, jawapan, svar, vastaus, răspuns, válasz, cevap, yanıt,
    jawaban, đáp án, ответ, 应该, 應該, відповідь, απάντηση, 答案, 正解, 答, 答え, 解答, 정답, 답,
    الجواب, الإجابة, תשובה, उत्तर, คำตอบ""")
"""What an answer is called elsewhere."""
ASKERS = phrases("""用户, 用戶, 问题, 問題, Benutzer, Nutzer, Frage, Utilisateur, Utilisatrice,
    Usuario, Usuária, Usuário, Utente, Pregunta, Pergunta, Domanda, Пользователь, Вопрос, ユーザー,
    質問, 사용자, 질문, Gebruiker, Użytkownik""")
"""Who asks in a dialogue elsewhere, or what: it begins another turn."""
FINAL_WORDS = phrases("""correcta, correcto, correcte, corretta, correta, correctă, finale, final,
    finala, endgültige, definitiva, definitivo, końcowa, окончательный, итоговый, 最终, 最終,
    最終的な, 최종, النهائي, النهائية, الصحيح, الصحيحة""")
"""What the last of several answers is called, before its label or behind it."""
STATING = phrases("""est, es, é, è, ist, lautet, is, wynosi, равен, 为, 是, 等于, 选, は, 은, 는,
    هو, هي, है""")
"""What stands between a label of `ANSWER_LABELS` and the answer, where there is no colon."""
DENIALS_ELSEWHERE = phrases("""nicht, kein, keine, falsch, pas, faux, fausse, écarter, não, errada,
    errado, falso, falsa, incorrecta, incorrecto, incorreta, incorreto, scorretta, sbagliata, niet,
    onjuist, nie, не, không, sai, değil, yanlış, bukan, salah, ليس, ليست, नहीं""")
"""What says elsewhere that an option is none."""
OPTION_NAMES = frozenset(("option", "choice"))
CHOOSING = ("choose", "pick", "select")
CHOOSING_ELSEWHERE = phrases("""corret, corrig, korrekt, richtig, wähl, bonne, choix, opción, elij,
    elegi, opção, alternativ, letra, lettre, lettera, 맞, 옳, gabarito, escolh, opzion, scelg,
    juist, prawidł, poprawn, doğru, seçenek, şık, benar, pilih, chọn, đúng, phương án, верн,
    правильн, вариант, الصحيح, خيار, विकल्प, 选, 選""")
"""How words begin elsewhere that say of an option that it is chosen."""
INTRODUCTIONS = frozenset(("is", "are", "both", "point", "value"))
"""Words that end a phrase before an answer: `\\text{the roots are } 1, 3`."""
SHORT_ANSWERS = words("yes no odd red all any day win won none true not set")
"""Words of a few letters that are an answer alone, where others are a product."""
SHORT_NUMBER_WORDS = frozenset(word for word in NUMBER_WORDS if len(word) <= 3)
SHORT_WORDS = words("""the is of to in on at are for how nor but its per may can an am pm if by it
    as pct sq cu""").union(SHORT_ANSWERS, SHORT_NUMBER_WORDS, ORDINALS)
"""Runs of two or three letters that are words rather than products."""
_NUMBER_SETS = {
    "R": ("real numbers", "reals", "any real number"), "Z": ("integers",),
    "N": ("natural numbers",), "Q": ("rational numbers", "rationals"), "C": ("complex numbers",),
}  # fmt: skip
_ALL_OF = ("", "all ", "the ", "all the ", "set of ", "the set of ", "the set of all ")
VALUES_IN_WORDS = {
    "inf": ("infinity", "positive infinity", "infinite", "infinitely many",
            "infinitely many solutions"),
    "-inf": ("negative infinity", "minus infinity"),
    "empty": ("no solution", "no solutions", "no real solution", "no real solutions", "empty set"),
    **{name: tuple(f"{all_of}{kind}" for all_of in _ALL_OF for kind in kinds)
       for name, kinds in _NUMBER_SETS.items()},
}  # fmt: skip
"""Infinity, the empty set and the sets of numbers as they are said."""
OPTIONAL_WORDS = frozenset(("a", "an", "the", "is", "are", "and"))
"""Words that answers in words may have or leave out."""
GRADERS = phrases("grader, checker, verifier, judge, marker, examiner, corrector, evaluator")
"""Who is written to for marks."""
SENTENCE_WORDS = words("""you he she we they his her our their has have had was were will would did
    does can could should""")
"""Words of a sentence, some of them short enough to look like a product of unknowns."""
