# Private cars. Speeds in km/h of each kind of street (highway=…); kinds without a line are closed.
speed motorway 110
speed motorway_link 60
speed trunk 90
speed trunk_link 50
speed primary 65
speed primary_link 45
speed secondary 55
speed secondary_link 40
speed tertiary 45
speed tertiary_link 35
speed unclassified 40
speed road 30
speed residential 30
speed living_street 10
speed service 15
speed track 15 tagged
maxspeed replace
walk 6
access access vehicle motor_vehicle motorcar
deny no private agricultural forestry emergency military psv bus delivery permit
oneway oneway oneway:vehicle oneway:motor_vehicle oneway:motorcar
restrictions vehicle motor_vehicle motorcar
