"""English sentences and invented brands for simulated answers."""

from answerwatch.simulator.texts import Phrasebook, Source, Topic

EN = Phrasebook(
    openings=(
        "It depends on your budget and habits, but these names come up again and again:",
        "Having compared price, quality and service, I would look at the following:",
        "No single brand suits everybody. Still, a few are consistently well reviewed.",
        "Here is a short list you can start from:",
        "Based on recent tests and owner feedback, these stand out:",
    ),
    reasons=(
        "solidly built and well liked by long-time owners",
        "friendly on the wallet without feeling cheap",
        "plenty of service points, so problems get solved quickly",
        "careful about details that others overlook",
        "quick to bring out new products",
        "steady quality from one year to the next",
        "hard to beat on value when it is on offer",
        "aimed at buyers who want something more refined",
    ),
    details=(
        "A good fit for first-time buyers who do not want to do much research.",
        "Availability differs from region to region.",
        "Prices online vary, so shop around.",
        "Complaints over the last year were on the low side.",
        "The step up from the basic to the top model is expensive.",
        "Larger households will like the bigger sizes.",
    ),
    closings=(
        "Tell me your budget and city and I can narrow this down.",
        "Prices change often, so check them before you decide.",
        "If you can, try one in a shop first.",
        "**Bottom line:** settle the budget first, then compare service, then price.",
    ),
    cautions=(
        "I would not recommend {brand} at the moment, as recent feedback mentions too many small faults.",
        "Avoid {brand} unless the discount is very large.",
    ),
    nameless=(
        "The brand matters less than the use. Decide what you need most, read what the unhappy reviewers say.",
        "Start with a budget, then list the two features you cannot do without. Most products will then do.",
    ),
    refusals=(
        "I'm sorry, but I can't help with that question.",
        "I'm unable to give a recommendation on this topic. Please ask a qualified professional.",
        "I cannot assist with this request. Is there something else you would like to talk about?",
    ),
    thinking=(
        "The user wants brands. {brand} crosses my mind, but I know too little about it, so I leave it out.",
        "Compare price and service first. My notes on {brand} are out of date; skip it and write the answer.",
    ),
    first_choice="First choice: ",
    second_choice="Runner-up: ",
    also="Also worth a look: ",
    joiner=", ",
    colon=": ",
    is_known_for=" is ",
    word_gap=" ",
    sentence_end=".",
    table_head=("Brand", "Why", "Good to know"),
    sources=(
        Source("Buying guide of the year", "https://www.sensible-buyers.example/guides/2026"),
        Source("Twenty products side by side", "https://labs.sidebyside.example/tests/88172?utm_source=sim"),
        Source("Owner satisfaction survey", "https://news.ownersurvey.example/2026/09/results.html"),
        Source("Half a year later: what owners say", "https://forum.longtermowners.example/t/40127"),
        Source("Who is quietly raising prices", "https://market-notes.example/prices#part2"),
    ),
    topics={
        "coffee": Topic(
            ("coffee", "espresso", "latte", "roaster"),
            (
                "Larkmoor Coffee",
                "Tidewell Roasters",
                "Copperbean House",
                "Nine Gables",
                "Fennick & Rowe",
                "Bluewicket",
                "Ostrea Roasters",
                "Harrowdale",
            ),
        ),
        "vacuum": Topic(
            ("vacuum", "robot", "clean", "mop"),
            ("Dustrel", "Sweepolo", "Vaquno", "Rovanta", "Mopsworth", "Tidyon", "Brushkin", "Lintari"),
        ),
        "phone": Topic(
            ("phone", "camera", "battery"),
            ("Orlixa", "Novarre", "Kestrin", "Pelago Mobile", "Umbrio", "Halvox", "Tessimo", "Quillane"),
        ),
        "hotpot": Topic(
            ("restaurant", "hotpot", "dinner", "eat"),
            ("Pepper Hall", "Ninefold Pot", "Lantern & Ladle", "Red Stove", "Cloudspice", "Ferry Kitchen"),
        ),
    },
)
